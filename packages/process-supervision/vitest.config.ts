import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

export default defineConfig(
  mergeConfig(projectTest('process-supervision'), withPrograms(import.meta.dirname, ['src/supervisor-main.ts'])),
);
