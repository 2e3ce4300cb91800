import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { findFencedProcesses } from '../project/process-table.ts';
import { awaitTwice, dispatchAgain } from './await-twice.ts';
import type { FaultPoint } from './fault-points.ts';
import { judgeEvidence, type Verdict, wordsOf } from './judge-evidence.ts';
import { isSupervisorAlive, readEvidence } from './read-evidence.ts';
import { signalAt } from './strace.ts';
import type { Subject } from './subject.ts';
import {
  startTracedDispatch,
  supervisorPids,
  type TracedDispatch,
  type Tracing,
  tracePathOf,
  type Victim,
} from './traced-dispatch.ts';

/** One kill that is to be made. */
export interface PlannedKill {
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
/** Its last sidecar is durable already, or its death is: it only has to go. */
const SUPERVISOR_END_MS = 10_000;

/**
 * Dispatches, kills at one point, awaits twice at once, and judges what is left. What should have gone and hasn't is counted, then
 * ended.
 */
export async function killOnce(subject: Subject, kill: PlannedKill): Promise<KillResult> {
  await subject.restore();
  const running = await startTracedDispatch(subject, tracingOf(kill));
  const wasKilled = await untilKilled(subject, running, kill);
  const atKill = await readEvidence(subject, []);
  const awaited = await awaitTwice(subject, kill.stoppedAwaitAfterMs);
  await running.ended;
  const supervisors = await supervisorPids(subject);
  await untilGone(supervisors);
  const evidence = await readEvidence(subject, supervisors);
  const verdict = judgeEvidence(evidence, atKill.sidecars);
  const again = evidence.records.length === 0 ? await dispatchAgain(subject) : [];
  await endLeftovers(subject, supervisors);
  return { wasKilled, verdict, why: [...wordsOf(verdict), ...awaited, ...again] };
}

/** Both: the victim is stopped where it stands, so that neither sees the other die, then the two are killed. */
function tracingOf({ point, victim, isBoth }: PlannedKill): Tracing {
  const args = signalAt(point, isBoth ? 'SIGSTOP' : 'SIGKILL');
  return victim.kind === 'command' ? { command: args } : { supervisor: { round: victim.round, args } };
}

async function untilKilled(
  subject: Subject,
  running: TracedDispatch,
  { victim, isBoth }: PlannedKill,
): Promise<boolean> {
  const isHit = async (): Promise<boolean> => {
    const text = await readFile(tracePathOf(subject, victim), 'utf8').catch(() => '');
    return text.includes(isBoth ? '--- stopped by SIGSTOP ---' : '+++ killed by SIGKILL +++');
  };
  while (!(await isHit())) {
    if (running.hasEnded && !(await isAnyAlive(subject))) return isHit();
    await pause(POLL_MS);
  }
  if (isBoth) await killBoth(subject, running);
  return true;
}

async function killBoth(subject: Subject, running: TracedDispatch): Promise<void> {
  const pids = [running.pid, ...(await supervisorPids(subject))].filter((pid) => pid !== undefined);
  for (const pid of pids) endProcess(pid);
  await running.ended;
  await untilGone(pids);
}

async function isAnyAlive(subject: Subject): Promise<boolean> {
  const alive = await Promise.all((await supervisorPids(subject)).map(isSupervisorAlive));
  return alive.includes(true);
}

async function untilGone(supervisors: readonly number[]): Promise<void> {
  const deadline = performance.now() + SUPERVISOR_END_MS;
  for (;;) {
    const alive = await Promise.all(supervisors.map(isSupervisorAlive));
    if (!alive.includes(true) || performance.now() > deadline) return;
    await pause(POLL_MS);
  }
}

async function endLeftovers({ runId }: Subject, supervisors: readonly number[]): Promise<void> {
  const left = await findFencedProcesses(runId);
  const alive = await Promise.all(supervisors.map(isSupervisorAlive));
  for (const pid of [...left.map((row) => row.pid), ...supervisors.filter((_, index) => alive[index])]) endProcess(pid);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
