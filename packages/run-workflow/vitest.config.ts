import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

export default defineConfig(
  mergeConfig(projectTest('run-workflow'), withPrograms(import.meta.dirname, ['test/support/audit-program.ts'])),
);
