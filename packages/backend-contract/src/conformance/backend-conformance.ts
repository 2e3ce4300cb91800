import type { ConformanceCheck, ConformanceResult } from './check.ts';
import { launchTrials } from './launch-checks.ts';
import type { ConformanceOptions } from './options.ts';
import { inScene } from './scene.ts';
import { stopTrials } from './stop-checks.ts';
import type { Trial } from './trial.ts';
import { watchTrials } from './watch-checks.ts';

/** A check that takes longer doesn't hold: what a backend owes comes within seconds. */
const CHECK_TIMEOUT_MS = 120_000;

/**
 * The promises B1 to B6 of {@link WorkerBackend} as checks that any test runner can run, in any order, also at once.
 * Each makes a run of its own on disk, with shell scripts as workers, and asks the backend to run them: for backends
 * whose workers run on this machine.
 */
export function backendConformance(options: ConformanceOptions): readonly ConformanceCheck[] {
  return [...launchTrials, ...stopTrials, ...watchTrials].map((trial) => ({
    name: trial.name,
    run: () => runTrial(trial, options),
  }));
}

async function runTrial(trial: Trial, options: ConformanceOptions): Promise<ConformanceResult> {
  try {
    const problem = await withinTime(inScene(options, trial.try));
    return { name: trial.name, holds: problem === undefined, why: problem ?? 'seen to hold' };
  } catch (error) {
    return { name: trial.name, holds: false, why: error instanceof Error ? error.message : String(error) };
  }
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
