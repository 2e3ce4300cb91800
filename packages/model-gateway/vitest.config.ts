import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

export default defineConfig(
  mergeConfig(projectTest('model-gateway'), withPrograms(import.meta.dirname, ['../agent-fakes/src/fake-model.ts'])),
);
