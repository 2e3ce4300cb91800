import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One more than there are cores: the tests wait for processes and for the disk as much as they compute. */
const MAX_WORKERS = availableParallelism() + 1;

export default defineConfig({ test: { projects: ['packages/*', 'apps/*'], maxWorkers: MAX_WORKERS } });
