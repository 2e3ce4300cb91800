import {
  type AttemptFacts,
  inOrderOfStart,
  isTerminalStatus,
  type RoleExecution,
  type RunManifest,
} from '@bailiwick/dispatch-state';
import { Role, type WorkerId } from '@bailiwick/execution-identity';

/** A run's phases in their order; each waits for the one before it. */
export const Phase = { implement: 'implement', verify: 'verify', report: 'report', translate: 'translate' } as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

const ROLES_OF_PHASE: readonly (readonly [Phase, readonly Role[]])[] = [
  [Phase.implement, [Role.implementer, Role.analyst]],
  [Phase.verify, [Role.verifier]],
  [Phase.report, [Role.reportWriter]],
  [Phase.translate, [Role.translator]],
];

/** How a run ended. `rejected`: everyone worked, a verifier said no. `failed`: an attempt did not complete. */
export const RunOutcome = { verified: 'verified', rejected: 'rejected', failed: 'failed', stopped: 'stopped' } as const;
export type RunOutcome = (typeof RunOutcome)[keyof typeof RunOutcome];

/** A worker to dispatch: its first invocation, or one that makes up for an attempt that came to nothing. */
export interface DueWorker {
  readonly execution: RoleExecution;
  readonly ordinal: number;
  readonly recoveryOf: AttemptFacts | null;
}

/** What there is to do for a run now. */
export type PhaseStep =
  | { readonly kind: 'await'; readonly phase: Phase }
  | { readonly kind: 'dispatch'; readonly phase: Phase; readonly due: readonly DueWorker[] }
  | { readonly kind: 'ended'; readonly outcome: RunOutcome; readonly phase: Phase | null };

/**
 * Where a run stands, from manifest and records alone; so a killed run goes on by asking again.
 * `mayRecover` lets attempts that ended without a trace in the tree (lost, cut off, stopped) be made up for by a new invocation.
 */
export function nextPhase(
  manifest: RunManifest,
  records: readonly AttemptFacts[],
  o: { readonly mayRecover: boolean },
): PhaseStep {
  for (const [phase, roles] of ROLES_OF_PHASE) {
    const step = stepOfPhase(
      phase,
      manifest.roleExecutions.filter((row) => roles.includes(row.role)),
      { records, ...o },
    );
    if (step !== null) return step;
  }
  return { kind: 'ended', outcome: hasRejection(records) ? RunOutcome.rejected : RunOutcome.verified, phase: null };
}

/** The attempts of a role execution, oldest first. */
export function attemptsOf(records: readonly AttemptFacts[], execution: RoleExecution): readonly AttemptFacts[] {
  return inOrderOfStart(records.filter((record) => record.roleExecutionRef === execution.roleExecutionRef));
}

interface Facts {
  readonly records: readonly AttemptFacts[];
  readonly mayRecover: boolean;
}

function stepOfPhase(phase: Phase, executions: readonly RoleExecution[], facts: Facts): PhaseStep | null {
  const latest = executions.map((execution) => ({ execution, attempts: attemptsOf(facts.records, execution) }));
  if (latest.some(({ attempts }) => isOpen(attempts.at(-1)))) return { kind: 'await', phase };
  const due = latest.flatMap(({ execution, attempts }) => dueOf(execution, attempts, facts.mayRecover));
  const failed = latest.filter(
    ({ execution, attempts }) => hasFailed(attempts.at(-1)) && !due.some((row) => row.execution === execution),
  );
  if (failed.length > 0) return { kind: 'ended', outcome: outcomeOf(failed.map((row) => row.attempts.at(-1))), phase };
  return due.length > 0 ? { kind: 'dispatch', phase, due } : null;
}

function isOpen(record: AttemptFacts | undefined): boolean {
  return record !== undefined && (!isTerminalStatus(record.status) || record.retry !== null);
}

function hasFailed(record: AttemptFacts | undefined): boolean {
  return record !== undefined && record.status !== 'completed';
}

function outcomeOf(records: readonly (AttemptFacts | undefined)[]): RunOutcome {
  return records.every((record) => record?.status === 'stopped') ? RunOutcome.stopped : RunOutcome.failed;
}

function dueOf(execution: RoleExecution, attempts: readonly AttemptFacts[], mayRecover: boolean): readonly DueWorker[] {
  const last = attempts.at(-1);
  const ordinal = new Set(attempts.map((record) => record.invocationRef)).size + 1;
  if (last === undefined) return [{ execution, ordinal, recoveryOf: null }];
  return mayRecover && cameToNothing(last) ? [{ execution, ordinal, recoveryOf: last }] : [];
}

/** Ended by no fault of its own and without a trace: lost, cut off, broken off with its batch, or stopped, and the audit saw no change. */
function cameToNothing(record: AttemptFacts): boolean {
  const end = record.lifecycle?.end;
  const isInnocent = end === 'lost' || end === 'launch-failed' || end === 'stopped';
  const audit = record.contract?.audit ?? null;
  return isInnocent && (audit === null || audit.status === 'failed-no-mutation' || audit.status === 'ok');
}

function hasRejection(records: readonly AttemptFacts[]): boolean {
  return records.some(
    (record) => record.role === Role.verifier && record.status === 'completed' && record.result?.verdict !== 'pass',
  );
}

/** The workers that a step would dispatch, by id. */
export function workersOf(manifest: RunManifest, due: readonly DueWorker[]): readonly WorkerId[] {
  return due.flatMap(({ execution }) =>
    manifest.participants.filter((row) => row.participantRef === execution.participantRef).map((row) => row.workerId),
  );
}
