import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

/** Its files wait for whole runs of the command line: each in a process of its own, so that they wait side by side. */
export default defineConfig(
  mergeConfig(projectTest('test-harness'), { test: { isolate: true, testTimeout: 120_000 } }),
);
