import type { AgentExit, EndVerdict } from '@bailiwick/agent-providers';
import type { WatchedEnd } from '../process/end-tree.ts';
import type { AgentLog } from './agent-log.ts';
import type { EndCause } from './end-request.ts';
import type { OutputReading } from './output-reading.ts';
import type { AttemptEnd } from './sidecars.ts';

export interface EndedAttempt {
  /** Why the supervisor ended it; undefined where it ended by itself. */
  readonly cause: EndCause | undefined;
  readonly exit: AgentExit;
  readonly tree: WatchedEnd;
  /** True where the boundary ended before it let the agent start. */
  readonly neverRan: boolean;
  readonly reading: OutputReading;
  readonly log: Pick<AgentLog, 'bytes' | 'problem'>;
  readonly lastOutputAt: string | null;
}

/**
 * Puts together what is known of an ended attempt. Reads the last of its output; decides about nothing but the stage.
 */
export function conclude(ended: EndedAttempt): AttemptEnd {
  const { cause, exit, tree, reading, log, lastOutputAt, neverRan } = ended;
  const { verdict, mismatch } = reading.finish(exit);
  const { stage, reason } = neverRan ? UNCONFINED : endOf(cause, mismatch, { reading, verdict });
  const refused = reading.refusedModels();
  const remarks = [
    log.problem,
    tree.isGone ? null : 'not every process of the attempt could be ended',
    refused.length === 0 ? null : `the gateway refused to ask for ${refused.join(', ')}`,
  ];
  return {
    stage,
    reason: [reason, ...remarks].filter((part) => part !== null && part !== '').join('; '),
    exit,
    verdict,
    endProof: tree.endProof,
    leftProcesses: tree.outlivedLeader,
    facts: reading.facts(),
    lastOutputAt,
    logBytes: log.bytes,
  };
}

const UNCONFINED = {
  stage: 'launch-failed',
  reason: "the boundary could not be put in force, so the agent was not started; bubblewrap's words are in the log",
} as const;

/**
 * A demanded source counts where a model has spoken or should have. An attempt that says itself that it failed, or failed
 * before that, has its own reason, and can't be completed anyway.
 */
function endOf(
  cause: EndCause | undefined,
  mismatch: string | undefined,
  own: { readonly reading: OutputReading; readonly verdict: EndVerdict },
): Pick<AttemptEnd, 'stage' | 'reason'> {
  if (mismatch !== undefined) return { stage: 'served-model-mismatch', reason: mismatch };
  if (cause !== undefined) return cause;
  const { endEvidence } = own.verdict;
  const hasSpoken = own.reading.facts().servedModel.turns > 0;
  const isOwed = endEvidence === 'positive' || (endEvidence === 'absent' && hasSpoken);
  const short = isOwed ? own.reading.shortOfSource() : undefined;
  return short === undefined
    ? { stage: 'exited', reason: own.verdict.reason }
    : { stage: 'served-model-mismatch', reason: short };
}
