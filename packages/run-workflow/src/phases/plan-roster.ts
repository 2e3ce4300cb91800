import {
  canonicalTranslator,
  checkBatchShape,
  type DispatchContext,
  type DispatchPlan,
  rosterShape,
  selectWorkers,
} from '@bailiwick/dispatch';
import {
  type BackendKind,
  type RoleExecution,
  roleExecutionsOfWorker,
  surveyAttempts,
} from '@bailiwick/dispatch-state';
import { planDue } from './drive-run.ts';
import { attemptsOf, type DueWorker } from './next-phase.ts';

/** Whom a command takes, and where they run. */
export interface RosterRequest {
  /** Worker ids; empty takes all that the manifest recommends. */
  readonly workers: readonly string[];
  readonly backend: BackendKind;
  /** A throw-away folder for prompts that aren't there yet: what a dry run needs to change nothing in the run (PL-4). */
  readonly draftsFolder?: string | undefined;
}

/** A plan for the workers that a person names: each one's first invocation, or the one that it had already (which is then refused). */
export async function planRoster(context: DispatchContext, request: RosterRequest): Promise<DispatchPlan> {
  const { manifest } = context;
  // A translator is no part of the roster and leaves it alone (PL-1, TR-1).
  if (request.workers.length === 1 && request.workers[0] === TRANSLATOR)
    return planDue(context, await dueOf(context, [canonicalTranslator(manifest)]), request);
  const selected = selectWorkers(manifest, request.workers);
  checkBatchShape(rosterShape(manifest, selected, request.backend), context.backends);
  const executions = selected.flatMap((workerId) => roleExecutionsOfWorker(manifest, workerId));
  const plan = await planDue(context, await dueOf(context, executions), request);
  const aside = manifest.recommendedWorkers.filter((workerId) => !selected.includes(workerId));
  return { ...plan, skipped: aside.map((workerId) => ({ workerId, reason: 'left aside by --workers' })) };
}

const TRANSLATOR = 'translator';

async function dueOf(context: DispatchContext, executions: readonly RoleExecution[]): Promise<readonly DueWorker[]> {
  // A record that can't be read may be this worker's own: its claim is refused then, since the record is there.
  const { attempts } = await surveyAttempts(context.layout);
  return executions.map((execution) => {
    const invocations = new Set(attemptsOf(attempts, execution).map((record) => record.invocationRef));
    return { execution, ordinal: Math.max(1, invocations.size), recoveryOf: null };
  });
}
