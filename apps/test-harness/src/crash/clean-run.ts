import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FaultPoint, faultPoints } from './fault-points.ts';
import { judgeEvidence, wordsOf } from './judge-evidence.ts';
import type { PlannedKill } from './kill-once.ts';
import { readEvidence } from './read-evidence.ts';
import { readTrace, type TracedCall } from './read-trace.ts';
import { traceEverything } from './strace.ts';
import type { Subject } from './subject.ts';
import { untilGone } from './supervisors.ts';
import { startTraced, supervisorPids, tracePathOf, type Victim } from './traced-command.ts';

/** The fault points of one process of a dispatch. */
export interface VictimPoints {
  readonly victim: Victim;
  readonly points: readonly FaultPoint[];
}

/** Traces two runs in which nothing is killed, and finds where each of their processes can be. Throws where such a run doesn't hold. */
export async function findFaultPoints(subject: Subject): Promise<readonly VictimPoints[]> {
  const [clean, again] = [await traceCleanRun(subject), await traceCleanRun(subject)];
  return clean.map(({ victim, calls }, index) => ({
    victim,
    points: faultPoints(calls, again[index]?.calls ?? [], dirname(subject.project.root)),
  }));
}

/** Every kill that those points allow: the process alone, and both where there is another to be killed with it. */
export function possibleKills(subject: Subject, found: readonly VictimPoints[]): readonly PlannedKill[] {
  const starts = found.flatMap(({ victim, points }) =>
    victim.kind === 'supervisor' ? points.slice(0, 1).map(({ atSeconds }) => atSeconds) : [],
  );
  const firstStart = Math.min(...starts);
  return found.flatMap(({ victim, points }) =>
    points.flatMap((point) => {
      const alone: PlannedKill = { subject, victim, point, isBoth: false };
      return point.atSeconds < firstStart ? [alone] : [alone, { ...alone, isBoth: true }];
    }),
  );
}

interface TracedProcess {
  readonly victim: Victim;
  readonly calls: readonly TracedCall[];
}

async function traceCleanRun(subject: Subject): Promise<readonly TracedProcess[]> {
  await subject.restore();
  const args = traceEverything();
  const running = await startTraced(subject, { command: args, supervisor: { round: 'every', args } });
  await running.ended;
  const supervisors = await supervisorPids(subject);
  await untilGone(supervisors);
  const why = wordsOf(judgeEvidence(await readEvidence(subject, supervisors)));
  if (supervisors.length === 0 || why.length > 0)
    throw new Error(`a run in which nothing was killed doesn't hold: ${why.join('; ') || 'no supervisor was started'}`);
  const victims: readonly Victim[] = [
    { kind: 'command' },
    ...supervisors.map((_, index) => ({ kind: 'supervisor', round: index + 1 }) as const),
  ];
  return Promise.all(
    victims.map(async (victim) => ({ victim, calls: readTrace(await readFile(tracePathOf(subject, victim), 'utf8')) })),
  );
}
