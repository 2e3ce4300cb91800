import { setTimeout as pause } from 'node:timers/promises';
import { type CliResult, runCli, startCli } from '../cli/built-cli.ts';
import { readEvidence, type SeenRecord } from '../crash/read-evidence.ts';
import type { Subject } from '../crash/subject.ts';
import { untilGone } from '../crash/supervisors.ts';
import { findSupervisors } from '../project/process-table.ts';

/** One race of two dispatchers for one reservation, in which the first is killed. */
export interface PlannedRace {
  /** How long after its start the first is killed. */
  readonly killedAfterMs: number;
  /** How long after the first the second starts. */
  readonly secondAfterMs: number;
}

export interface RaceResult {
  /** False where the first had ended before its kill. */
  readonly wasKilled: boolean;
  /** How long the first one ran. */
  readonly firstMs: number;
  /** Records of the reservation's attempt, and agents that ever began to run from it: one, and at most one. */
  readonly records: number;
  readonly started: number;
  readonly why: readonly string[];
}

const DISPATCH = ['team', 'dispatch', '--workers', 'translator', '--json', '--quiet'] as const;
/** Refusals of a dispatcher that came too late: the attempt is claimed, or its reservation is consumed. */
const TOO_LATE = ['ATTEMPT_ALREADY_CLAIMED', 'RESERVATION_NONE'];

/**
 * Two dispatchers at once, the first killed on its way, then a third one and an await. Whoever it was that claimed the reservation, it was
 * consumed exactly once and nothing of it runs on.
 */
export async function raceOnce(subject: Subject, race: PlannedRace): Promise<RaceResult> {
  await subject.restore();
  const args = [...DISPATCH, '--run', subject.runId];
  const startMs = performance.now();
  const first = startCli(subject.project, args);
  const kill = setTimeout(() => first.kill('SIGKILL'), race.killedAfterMs);
  const ended = first.then(({ signal }) => ({ signal, tookMs: performance.now() - startMs }));
  await pause(race.secondAfterMs);
  const [killed, other] = await Promise.all([ended, startCli(subject.project, args)]);
  clearTimeout(kill);
  const third = await runCli(subject.project, args);
  const awaited = await settleWhatIsLeft(subject);
  await untilGone((await findSupervisors(subject.project.root)).map(({ pid }) => pid));
  const evidence = await readEvidence(subject, []);
  const ours = evidence.records.filter(isTranslator);
  const started = evidence.ledger.filter((id) => id.includes('.translator.')).length;
  const why = [
    ...wrongCount(ours.length, started),
    ...ours.flatMap((row) => (row.status === 'launching' ? [`${row.dispatchId} was never settled`] : [])),
    ...evidence.torn.map((what) => `torn: ${what}`),
    ...evidence.alive.map((what) => `still alive: ${what}`),
    ...wrongEnd('the second', other),
    ...wrongEnd('the third', third),
    ...awaited,
  ];
  return { wasKilled: killed.signal === 'SIGKILL', firstMs: killed.tookMs, records: ours.length, started, why };
}

/** Where the killed one had claimed the attempt, nobody has settled it yet. */
async function settleWhatIsLeft(subject: Subject): Promise<readonly string[]> {
  const { records } = await readEvidence(subject, []);
  if (!records.some((row) => isTranslator(row) && row.status === 'launching')) return [];
  const { exitCode, stdout } = await runCli(subject.project, ['team', 'await', '--run', subject.runId, '--json']);
  return exitCode === 0 || exitCode === 1 ? [] : [`the await ended with ${exitCode}: ${stdout}`];
}

function isTranslator({ executionLabel }: SeenRecord): boolean {
  return executionLabel === 'translator';
}

function wrongCount(records: number, started: number): readonly string[] {
  return [
    ...(records === 1 ? [] : [`${records} records instead of one`]),
    ...(started <= 1 ? [] : [`${started} agents ran from one reservation`]),
  ];
}

/** Done, done with a worker that failed, or refused because another had it. */
function wrongEnd(
  who: string,
  {
    exitCode,
    stdout,
    stderr,
  }: Pick<CliResult, 'stdout' | 'stderr'> & { readonly exitCode?: number | null | undefined },
): readonly string[] {
  if (exitCode === 0 || exitCode === 1) return [];
  if (exitCode === 2 && TOO_LATE.some((code) => stdout.includes(code))) return [];
  return [`${who} ended with ${exitCode}: ${stdout}${stderr}`];
}
