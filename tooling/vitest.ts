import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const OWN_TEMP_FOLDER = fileURLToPath(new URL('./own-temp-folder.ts', import.meta.url));
/** One more than there are cores, since tests wait for the disk and for limits; every further one only makes all of them take longer. */
const MAX_WORKERS = availableParallelism() + 1;
/** For the hundreds of short programs that tests start: V8's helper threads and the debugger's cost each of them a fifth of its time. */
const SHORT_LIVED = '--v8-pool-size=0 --disable-sigusr1';
/** Each program that a process starts costs it the more the larger it is: what V8 has not collected yet counts as much as what lives. */
const SMALL = ['--semi-space-growth-factor=1', '--heap-growing-percent=25'];
/** The packages whose files take long, the longest first; begun last, they would be waited for alone. */
const LONGEST = [
  '/apps/test-harness/',
  '/packages/agent-fakes/',
  '/packages/attempt-evidence/',
  '/packages/backend-',
  '/packages/process-supervision/',
  '/packages/dispatch/',
  '/packages/mutation-audit/',
  '/packages/run-workflow/',
  '/apps/cli/',
];

/**
 * What every package's tests share: packages resolve to their sources, so no build stands between an edit and its test. Test files
 * share a process: none changes a module, and a process for each of them costs more than most tests. The number of workers is a
 * project's own: it isn't taken over from the root configuration.
 */
export function projectTest(name: string): ViteUserConfig {
  const conditions = ['@bailiwick/source', 'module', 'node', 'development|production'];
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      globalSetup: [OWN_TEMP_FOLDER],
      isolate: false,
      execArgv: SMALL,
      maxWorkers: MAX_WORKERS,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      env: { TURBO_TELEMETRY_DISABLED: '1', NODE_OPTIONS: SHORT_LIVED },
    },
  };
}

/** The order of the test files: those of the slow packages first, so that the quick ones fill the cores beside them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf(file: TestSpecification): number {
  const rank = LONGEST.findIndex((folder) => file.moduleId.includes(folder));
  return rank === -1 ? LONGEST.length : rank;
}
