import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tooling/vitest.ts';

export default defineConfig({ test: { projects: ['packages/*', 'apps/*'], sequence: { sequencer: LongestFirst } } });
