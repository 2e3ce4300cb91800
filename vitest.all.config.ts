import { defineConfig, mergeConfig } from 'vitest/config';
import { withPrograms } from './tooling/test-programs.ts';
import { LongestFirst, projectTest } from './tooling/vitest.ts';

/** Every program that a package's own configuration has bundled. */
const programs = withPrograms(import.meta.dirname, [
  'apps/test-harness/test/launch-order-program.ts',
  'packages/agent-fakes/src/fake-{agent,cmux,model}.ts',
  'packages/attempt-evidence/test/fixtures/*.ts',
  'packages/backend-cli-wrapper/test/support/command-program.ts',
  'packages/dispatch-state/test/fixtures/programs/*.ts',
  'packages/durable-files/test/fixtures/*.ts',
  'packages/mutation-audit/src/audit-worker.ts',
  'packages/process-supervision/src/supervisor-main.ts',
  'packages/run-workflow/test/support/audit-program.ts',
]);

/**
 * All tests at once, for `npm test`: the files of all packages share a few processes, where each package's own configuration would
 * start some of its own. A third of the time of a whole run went into those.
 */
export default defineConfig(
  mergeConfig(mergeConfig(projectTest('all'), programs), {
    test: {
      include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
      setupFiles: [
        'packages/mutation-audit/test/support/worker-entry.ts',
        'apps/test-harness/test/fake-agent-program.ts',
        'apps/test-harness/test/check-documents.ts',
      ],
      testTimeout: 120_000,
      sequence: { sequencer: LongestFirst },
    },
  }),
);
