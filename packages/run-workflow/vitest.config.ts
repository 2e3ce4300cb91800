import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

/** Test files share a process: none changes a module, and loading everything below this package anew for each costs more than the tests. */
export default defineConfig(mergeConfig(projectTest('run-workflow'), { test: { isolate: false } }));
