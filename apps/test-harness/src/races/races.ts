import { runCli } from '../cli/built-cli.ts';
import { seededRandom } from '../crash/random.ts';
import { makeSubject, type Subject } from '../crash/subject.ts';
import { parseRaceArguments, RACE_USAGE } from './race-arguments.ts';
import { type PlannedRace, type RaceResult, raceOnce } from './race-once.ts';

/** What the races came to; `holds` only where dispatchers were killed and every reservation was consumed exactly once. */
export interface RacesResult {
  readonly races: number;
  readonly killed: number;
  /** Races in which more than one agent ran, or more than one attempt was recorded, from one reservation. */
  readonly doubled: number;
  readonly holds: boolean;
  readonly why: readonly string[];
}

export interface RacesOptions {
  readonly races: number;
  readonly seed: number;
  /** Kills are spread over the first so many milliseconds; absent: over what an undisturbed dispatch takes, which is measured first. */
  readonly spreadMs?: number;
  readonly onRace?: (words: string) => void;
}

/** Longer than any dispatch of a scripted agent takes. */
const NEVER_MS = 110_000;

const TEAM = {
  implementer: { model: 'claude/sonnet' },
  verifiers: [],
  reportWriter: { model: 'gemini/gemini-2.5-pro' },
  translator: { model: 'codex/gpt-5.5', language: 'de' },
};

/** The command of that name: prints the result as JSON, a line per race on stderr, and gives the exit code. */
export async function races(args: readonly string[]): Promise<number> {
  const parsed = parseRaceArguments(args);
  if (parsed === undefined) {
    process.stderr.write(`usage: bailiwick-harness ${RACE_USAGE}\n`);
    return 2;
  }
  const result = await runRaces({ ...parsed, onRace: (words) => process.stderr.write(`${words}\n`) });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return result.holds ? 0 : 1;
}

/** Lets two dispatchers race for one translator's reservation, again and again, and kills one of them on its way (TR-2). */
export async function runRaces({ races, seed, spreadMs, onRace }: RacesOptions): Promise<RacesResult> {
  const subject = await makeSubject('races', { config: { team: TEAM }, prepare: untilTranslatorIsDue });
  try {
    const longestMs = spreadMs ?? (await durationOf(subject));
    const random = seededRandom(seed);
    const results: RaceResult[] = [];
    for (let at = 0; at < races; at += 1) {
      const race = { killedAfterMs: random() * longestMs, secondAfterMs: (random() * longestMs) / 4 };
      const result = await raceOnce(subject, race);
      onRace?.(wordsOf(at, race, result));
      results.push(result);
    }
    return sumOf(results);
  } finally {
    await subject.remove();
  }
}

/** How long a dispatch takes when nobody disturbs it: kills are spread over that. */
async function durationOf(subject: Subject): Promise<number> {
  const { wasKilled, firstMs, why } = await raceOnce(subject, { killedAfterMs: NEVER_MS, secondAfterMs: 0 });
  if (wasKilled || why.length > 0) throw new Error(`a race without a kill went wrong: ${why.join('; ')}`);
  return firstMs;
}

async function untilTranslatorIsDue(subject: Pick<Subject, 'project' | 'runId'>): Promise<void> {
  for (const worker of ['implementer', 'report-writer']) {
    const { exitCode, stdout } = await runCli(subject.project, [
      ...['team', 'dispatch', '--workers', worker, '--run', subject.runId, '--json', '--quiet'],
    ]);
    if (exitCode !== 0) throw new Error(`${worker} ended with ${exitCode}: ${stdout}`);
  }
}

function sumOf(results: readonly RaceResult[]): RacesResult {
  const why = results.flatMap((result, at) => result.why.map((what) => `race ${at}: ${what}`));
  const killed = results.filter(({ wasKilled }) => wasKilled).length;
  const doubled = results.filter(({ records, started }) => records > 1 || started > 1).length;
  return { races: results.length, killed, doubled, holds: killed > 0 && why.length === 0, why };
}

function wordsOf(at: number, { killedAfterMs, secondAfterMs }: PlannedRace, result: RaceResult): string {
  const mark = result.why.length > 0 ? '✗' : '✓';
  const words = `${mark} race ${at}: first ${result.wasKilled ? 'killed' : 'ended'} after ${Math.round(killedAfterMs)} ms, `;
  const more = `second came after ${Math.round(secondAfterMs)} ms; ${result.records} record, ${result.started} started`;
  return [words + more, ...result.why].join('\n    ');
}
