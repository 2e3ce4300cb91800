import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

/** Its files drive whole runs of the command line: each in a process of its own. */
export default defineConfig(
  mergeConfig(projectTest('test-harness'), { test: { isolate: true, testTimeout: 120_000 } }),
);
