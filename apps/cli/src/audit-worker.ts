import '@bailiwick/mutation-audit/audit-worker';
