import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcess } from '../project/process-table.ts';
import { awaitTwice, dispatchAgain } from './await-twice.ts';
import type { FaultPoint } from './fault-points.ts';
import { judgeEvidence, type Verdict, wordsOf } from './judge-evidence.ts';
import { readEvidence } from './read-evidence.ts';
import { sealDifferences } from './seal-differences.ts';
import { signalAt } from './strace.ts';
import type { Subject } from './subject.ts';
import { endLeftovers, livingOf, untilGone } from './supervisors.ts';
import {
  startTraced,
  supervisorPids,
  type TracedCommand,
  type Tracing,
  tracePathOf,
  type Victim,
} from './traced-command.ts';

/** One kill that is to be made. */
export interface PlannedKill {
  readonly subject: Subject;
  readonly point: FaultPoint;
  /** Whose call it is: the command's, or the supervisor's of one round. */
  readonly victim: Victim;
  /** True kills the other one with it. */
  readonly isBoth: boolean;
  /** Beside the two that await, a third one that is stopped this long after its start; absent: none. */
  readonly stoppedAwaitAfterMs?: number;
}

export interface KillResult {
  /** False where the process ended before it came to its point. */
  readonly wasKilled: boolean;
  readonly verdict: Verdict;
  /** Everything that is wrong, the verdict's words included. */
  readonly why: readonly string[];
}

const POLL_MS = 5;

/**
 * Dispatches, kills at one point, awaits twice at once, and judges what is left. What should have gone and hasn't is counted, then
 * ended.
 */
export async function killOnce(kill: PlannedKill): Promise<KillResult> {
  const { subject } = kill;
  await subject.restore();
  const running = await startTraced(subject, tracingOf(kill));
  const wasKilled = await untilKilled(running, kill);
  const atKill = await readEvidence(subject, []);
  const awaited = await awaitTwice(subject, kill.stoppedAwaitAfterMs);
  await running.ended;
  const supervisors = await supervisorPids(subject);
  await untilGone(supervisors);
  const evidence = await readEvidence(subject, supervisors);
  const verdict = judgeEvidence(evidence, atKill.sidecars);
  const isClaimed = evidence.records.length > 0;
  const again = await (isClaimed ? sealDifferences(subject) : dispatchAgain(subject));
  await endLeftovers(subject.runId, supervisors);
  return { wasKilled, verdict, why: [...wordsOf(verdict), ...awaited, ...again] };
}

/** Both: the victim is stopped where it stands, so that neither sees the other die, then the two are killed. */
function tracingOf({ point, victim, isBoth }: PlannedKill): Tracing {
  const args = signalAt(point, isBoth ? 'SIGSTOP' : 'SIGKILL');
  return victim.kind === 'command' ? { command: args } : { supervisor: { round: victim.round, args } };
}

async function untilKilled(running: TracedCommand, { subject, victim, isBoth }: PlannedKill): Promise<boolean> {
  const isHit = async (): Promise<boolean> => {
    const text = await readFile(tracePathOf(subject, victim), 'utf8').catch(() => '');
    return text.includes(isBoth ? '--- stopped by SIGSTOP ---' : '+++ killed by SIGKILL +++');
  };
  while (!(await isHit())) {
    if (running.hasEnded && (await livingOf(await supervisorPids(subject))).length === 0) return isHit();
    await pause(POLL_MS);
  }
  if (isBoth) await killBoth(subject, running);
  return true;
}

async function killBoth(subject: Subject, running: TracedCommand): Promise<void> {
  const pids = [running.pid, ...(await supervisorPids(subject))].filter((pid) => pid !== undefined);
  for (const pid of pids) endProcess(pid);
  await running.ended;
  await untilGone(pids);
}
