import { chooseKills } from './choose-kills.ts';
import { findFaultPoints, possibleKills } from './clean-run.ts';
import { CRASH_USAGE, parseCrashArguments } from './crash-arguments.ts';
import { type KillResult, killOnce, type PlannedKill } from './kill-once.ts';
import { straceProblem } from './strace.ts';
import { makeSubject, type Subject, type SubjectOptions } from './subject.ts';

/** What the kills came to; `holds` only where there were kills and nothing was wrong after any of them. */
export interface CrashResult {
  readonly points: number;
  readonly kills: number;
  readonly lost: number;
  readonly doubled: number;
  readonly torn: number;
  readonly leftProcesses: number;
  readonly holds: boolean;
  /** What was wrong, by kill; or why nothing could be tried. */
  readonly why: readonly string[];
  /** Kills that were planned and not made: the process ended before it came to its point. */
  readonly skipped: number;
}

export interface CrashOptions {
  /** Absent: every possible kill once. */
  readonly kills?: number;
  readonly seed: number;
  readonly workloads: readonly Workload[];
  /** Told after each kill, in words. */
  readonly onKill?: (words: string) => void;
}

const SEAT = { model: 'codex/gpt-5.5' };

/** What is dispatched: an attempt that completes, one that leaves nothing and is tried again, or two in one batch. */
const WORKLOADS: Readonly<Record<Workload, SubjectOptions>> = {
  completes: {},
  retries: { agents: { implementer: { as: 'no-result-once' } } },
  together: {
    workers: ['verifier-1', 'verifier-2'],
    config: { team: { implementer: { model: 'claude/sonnet' }, verifiers: [SEAT, SEAT] } },
  },
};
export type Workload = 'completes' | 'retries' | 'together';

/** The command of that name: prints the result as JSON, a line per kill on stderr, and gives the exit code. */
export async function crash(args: readonly string[]): Promise<number> {
  const parsed = parseCrashArguments(args);
  if (parsed === undefined) {
    process.stderr.write(`usage: bailiwick-harness ${CRASH_USAGE}\n`);
    return 2;
  }
  const { kills, seed } = parsed;
  const result = await runCrash({
    seed,
    workloads: ['completes', 'retries', 'together'],
    onKill: (words) => process.stderr.write(`${words}\n`),
    ...(kills === undefined ? {} : { kills }),
  });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return result.holds ? 0 : 1;
}

/** Kills the processes of dispatches at their fault points, one after another, and judges what each kill left. */
export async function runCrash(options: CrashOptions): Promise<CrashResult> {
  const problem = await straceProblem();
  if (problem !== undefined) return { ...NOTHING, why: [problem], skipped: 1 };
  const subjects = await Promise.all(options.workloads.map((workload) => makeSubject(workload, WORKLOADS[workload])));
  try {
    return await killAll(subjects, options);
  } finally {
    for (const subject of subjects) await subject.remove();
  }
}

const NOTHING = { points: 0, kills: 0, lost: 0, doubled: 0, torn: 0, leftProcesses: 0, holds: false } as const;

async function killAll(subjects: readonly Subject[], options: CrashOptions): Promise<CrashResult> {
  const possible: PlannedKill[] = [];
  for (const subject of subjects) possible.push(...possibleKills(subject, await findFaultPoints(subject)));
  const points = possible.filter(({ isBoth }) => !isBoth).length;
  const chosen = chooseKills(possible, { kills: options.kills ?? possible.length, seed: options.seed });
  const results: { readonly kill: PlannedKill; readonly result: KillResult }[] = [];
  for (const kill of chosen) {
    const result = await killOnce(kill);
    options.onKill?.(wordsOfKill(kill, result));
    results.push({ kill, result });
  }
  return sumOf(points, results);
}

function sumOf(
  points: number,
  results: readonly { readonly kill: PlannedKill; readonly result: KillResult }[],
): CrashResult {
  const made = results.filter(({ result }) => result.wasKilled);
  const count = (of: 'lost' | 'doubled' | 'torn' | 'leftProcesses'): number =>
    results.reduce((sum, { result }) => sum + result.verdict[of].length, 0);
  const why = results.flatMap(({ kill, result }) => result.why.map((what) => `${nameOf(kill)}: ${what}`));
  return {
    points,
    kills: made.length,
    lost: count('lost'),
    doubled: count('doubled'),
    torn: count('torn'),
    leftProcesses: count('leftProcesses'),
    holds: made.length > 0 && why.length === 0,
    why,
    skipped: results.length - made.length,
  };
}

function wordsOfKill(kill: PlannedKill, { wasKilled, why }: KillResult): string {
  const mark = why.length > 0 ? '✗' : wasKilled ? '✓' : '–';
  return [`${mark} ${nameOf(kill)}`, ...why].join('\n    ');
}

function nameOf({ subject, victim, point, isBoth, stoppedAwaitAfterMs }: PlannedKill): string {
  const who = victim.kind === 'command' ? 'command' : `supervisor ${victim.round}`;
  const beside = stoppedAwaitAfterMs === undefined ? '' : `, beside an await stopped after ${stoppedAwaitAfterMs} ms`;
  const what = point.before.replaceAll(/"?(?:\/[^/"<>,]*)+\//g, '…/').slice(0, 140);
  return `${subject.name}: ${who}${isBoth ? ' and the other' : ''} at ${point.name} ${point.nth} (before ${what})${beside}`;
}
