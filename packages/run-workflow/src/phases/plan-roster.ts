import {
  checkBatchShape,
  type DispatchContext,
  type DispatchPlan,
  rosterShape,
  selectWorkers,
} from '@bailiwick/dispatch';
import { type BackendKind, readAllRecords, roleExecutionsOfWorker } from '@bailiwick/dispatch-state';
import { planDue } from './drive-run.ts';
import { attemptsOf, type DueWorker } from './next-phase.ts';

export interface RosterRequest {
  /** Worker ids; empty takes all that the manifest recommends. */
  readonly workers: readonly string[];
  readonly backend: BackendKind;
}

/** A plan for the workers that a person names: each one's first invocation, or the one that it had already (which is then refused). */
export async function planRoster(context: DispatchContext, request: RosterRequest): Promise<DispatchPlan> {
  const { manifest } = context;
  const selected = selectWorkers(manifest, request.workers);
  checkBatchShape(rosterShape(manifest, selected, request.backend), context.backends);
  const records = await readAllRecords(context.layout);
  const due = selected
    .flatMap((workerId) => roleExecutionsOfWorker(manifest, workerId))
    .map((execution): DueWorker => {
      const invocations = new Set(attemptsOf(records, execution).map((record) => record.invocationRef));
      return { execution, ordinal: Math.max(1, invocations.size), recoveryOf: null };
    });
  const plan = await planDue(context, due, request.backend);
  const aside = manifest.recommendedWorkers.filter((workerId) => !selected.includes(workerId));
  return { ...plan, skipped: aside.map((workerId) => ({ workerId, reason: 'left aside by --workers' })) };
}
