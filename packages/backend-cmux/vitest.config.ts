import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig(projectTest('backend-cmux'));
