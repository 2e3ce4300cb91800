import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

const programs = withPrograms(import.meta.dirname, ['src/audit-worker.ts']);

export default defineConfig(
  mergeConfig(mergeConfig(projectTest('mutation-audit'), programs), {
    test: { setupFiles: ['test/support/worker-entry.ts'] },
  }),
);
