import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

export default defineConfig(
  mergeConfig(
    projectTest('agent-fakes'),
    withPrograms(import.meta.dirname, ['src/fake-agent.ts', 'src/fake-cmux.ts', 'src/fake-model.ts']),
  ),
);
