import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

export default defineConfig(
  mergeConfig(
    projectTest('backend-cli-wrapper'),
    withPrograms(import.meta.dirname, [
      '../process-supervision/src/supervisor-main.ts',
      'test/support/command-program.ts',
    ]),
  ),
);
