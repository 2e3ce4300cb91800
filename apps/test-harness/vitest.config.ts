import { withPrograms } from '@bailiwick/tooling/test-programs';
import { projectTest } from '@bailiwick/tooling/vitest';
import { defineConfig, mergeConfig } from 'vitest/config';

const programs = withPrograms(import.meta.dirname, [
  '../../packages/agent-fakes/src/fake-agent.ts',
  'test/launch-order-program.ts',
]);

export default defineConfig(
  mergeConfig(mergeConfig(projectTest('test-harness'), programs), {
    test: { setupFiles: ['test/fake-agent-program.ts', 'test/check-documents.ts'], testTimeout: 120_000 },
  }),
);
