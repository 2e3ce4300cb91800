import type { DispatchStatus, Lifecycle, RetryDecision } from '@bailiwick/dispatch-state';
import { buildDispatchId, type DispatchId, type InvocationRef, invocationIdOf } from '@bailiwick/execution-identity';
import type { MutationAudit } from '@bailiwick/mutation-audit';
import type { PostProcessing } from '../context.ts';

/** All that the outcome of an attempt is decided from. */
export interface OutcomeFacts {
  /** Null for a v1 job, which has none and is tried once. */
  readonly invocationRef: InvocationRef | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly lifecycle: Lifecycle;
  /** What the supervisor said of the end, in its own words. */
  readonly endReason: string;
  readonly logPath: string;
  readonly missing: readonly string[];
  /** Null where nothing was started, so that nothing can have changed. */
  readonly audit: MutationAudit | null;
  readonly isStopped: boolean;
  /** Why the launch of this attempt's whole round was broken off; null where it wasn't. */
  readonly abortReason: string | null;
  readonly postProcessing: PostProcessing | null;
  /** What a throw-away layer says of the worker's verdict; empty: nothing. */
  readonly layerNote: string;
}

/** How an attempt ended, and whether there is to be another one. */
export interface Outcome {
  readonly status: DispatchStatus;
  readonly reason: string;
  readonly retry: RetryDecision | null;
  /** False where the artifacts are kept but don't count (MA-6). */
  readonly takesResult: boolean;
}

/** True where the process itself didn't do what it was started for: what the audit calls a failed attempt. */
export function isFailedAttempt(lifecycle: Lifecycle, missing: readonly string[]): boolean {
  return !endedWell(lifecycle) || lifecycle.exitCode !== 0 || missing.length > 0;
}

/** Status, reason and retry of an attempt (ST-1, ST-2, ST-7, ST-9, MA-6, RT-1); the order of the lines is the order of rank. */
export function decideOutcome(facts: OutcomeFacts): Outcome {
  const failure = failureOf(facts);
  if (failure === null) return { status: 'completed', reason: completionNote(facts), retry: null, takesResult: true };
  return { ...failure, retry: failure.status === 'error' ? retryOf(facts, failure.reason) : null, takesResult: false };
}

function failureOf(facts: OutcomeFacts): { readonly status: DispatchStatus; readonly reason: string } | null {
  if (facts.abortReason !== null) return { status: 'error', reason: withBreach(facts.abortReason, facts.audit) };
  if (facts.isStopped) return { status: 'stopped', reason: withBreach(facts.endReason || 'stopped', facts.audit) };
  if (barsCompletion(facts.audit)) return { status: 'error', reason: barredReason(facts) };
  const ended = endFailure(facts);
  if (ended !== null) return ended;
  if (facts.missing.length > 0)
    return {
      status: 'error',
      reason: `required artifacts missing: ${facts.missing.join(', ')}; log: ${facts.logPath}`,
    };
  if (facts.postProcessing !== null && !facts.postProcessing.ok)
    return { status: 'error', reason: `post-processing failed: ${facts.postProcessing.reason}` };
  return null;
}

/** The audit's verdicts that stand in the way of a completion, whatever else is true (MA-3). */
export function barsCompletion(audit: MutationAudit | null): boolean {
  return audit !== null && audit.status !== 'ok' && audit.status !== 'failed-no-mutation';
}

function barredReason(facts: OutcomeFacts): string {
  const end = endFailure(facts);
  return `${describeAudit(facts.audit)}${end === null ? '' : ` (and ${end.reason})`}`;
}

function withBreach(reason: string, audit: MutationAudit | null): string {
  return barsCompletion(audit) ? `${reason}; ${describeAudit(audit)}` : reason;
}

function describeAudit(audit: MutationAudit | null): string {
  if (audit === null) return '';
  const words = audit.violations.map((violation) => violation.message);
  return words.length === 0 ? audit.status : `${audit.status}: ${words.join('; ')}`;
}

function endFailure(facts: OutcomeFacts): { readonly status: DispatchStatus; readonly reason: string } | null {
  const { lifecycle, endReason, logPath } = facts;
  const where = `; log: ${logPath}`;
  switch (lifecycle.end) {
    case 'timed-out':
    case 'idle-timed-out':
      return { status: 'timeout', reason: `${endReason || lifecycle.end}${where}` };
    case 'served-model-mismatch':
      return { status: 'error', reason: `served model differs: ${endReason}${where}` };
    case 'launch-failed':
      return { status: 'error', reason: `launch failed: ${endReason}` };
    case 'exited':
      return endedWell(lifecycle) ? null : { status: 'error', reason: `${exitWords(facts)}${where}` };
    case 'stopped':
      return { status: 'stopped', reason: endReason || 'stopped' };
    case 'lost':
    case 'starting':
    case 'running':
    case 'waiting-for-input':
      return { status: 'error', reason: `lost: ${endReason || 'its supervisor ended without saying how'}${where}` };
    default:
      return unreachable(lifecycle.end);
  }
}

function endedWell(lifecycle: Lifecycle): boolean {
  return lifecycle.end === 'exited' && lifecycle.endEvidence === 'positive';
}

function exitWords({ lifecycle, endReason }: OutcomeFacts): string {
  const exit = lifecycle.signal === null ? `exit code ${lifecycle.exitCode}` : `ended by ${lifecycle.signal}`;
  const evidence = lifecycle.endEvidence === 'absent' ? 'no evidence that it finished' : 'it reported a failure';
  return endReason === '' ? `${exit}, ${evidence}` : `${exit}, ${evidence}: ${endReason}`;
}

/** A non-zero exit completes only where nothing changed, and the event says so (ST-1). */
function completionNote({ lifecycle, layerNote }: OutcomeFacts): string {
  const exit =
    lifecycle.exitCode === 0
      ? ''
      : `completed with exit code ${lifecycle.exitCode}: nothing was changed and every artifact is there`;
  return [exit, layerNote].filter((note) => note !== '').join('; ');
}

function retryOf(facts: OutcomeFacts, reason: string): RetryDecision | null {
  if (facts.invocationRef === null || !mayRetry(facts)) return null;
  const attempt = facts.attempt + 1;
  const successor: DispatchId = buildDispatchId(invocationIdOf(facts.invocationRef, attempt), attempt);
  return { reason, missingCompletionPaths: facts.missing, successor };
}

/** Only where the process ended well without its artifacts, or failed in a way that may pass, and nothing was changed (RT-1). */
function mayRetry(facts: OutcomeFacts): boolean {
  if (facts.attempt >= facts.maxAttempts || facts.abortReason !== null) return false;
  if (facts.lifecycle.end !== 'exited' || facts.audit?.retryAllowed !== true) return false;
  return facts.lifecycle.transientFailure || (endedWell(facts.lifecycle) && facts.missing.length > 0);
}

function unreachable(value: never): never {
  throw new TypeError(`unknown end: ${String(value)}`);
}
