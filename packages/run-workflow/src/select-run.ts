import {
  type DispatchRecord,
  isTerminalStatus,
  layoutOfRun,
  listRuns,
  loadManifest,
  type RunLayout,
  type RunManifest,
  surveyOpenAttempts,
  surveyRecords,
  type Unreadable,
} from '@bailiwick/dispatch-state';
import { type DurableFileError, isDurableFileError } from '@bailiwick/durable-files';
import { isRunId, type RunId } from '@bailiwick/execution-identity';
import { RunError } from './errors.ts';
import { nextPhase } from './phases/next-phase.ts';
import type { Project } from './project/find-project.ts';

/** A record that is there and can't be read. */
export interface DamagedRecord extends Unreadable {
  /** Whether its attempt isn't settled, as far as its marker says. */
  readonly isOpen: boolean;
}

/** A run with what is known of it now. */
export interface StoredRun {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
  readonly records: readonly DispatchRecord[];
  /** What is known of the run lacks these; everything else goes on (AW-3). */
  readonly unreadable: readonly DamagedRecord[];
}

/** The runs of a project, oldest first, and those whose manifest can't be read. */
export interface RunSurvey {
  readonly runs: readonly StoredRun[];
  readonly unreadable: readonly { readonly runId: RunId; readonly error: DurableFileError }[];
}

/** Which run is meant where none is named: the only unfinished one, or the newest (spec: cli, common flags). */
export type DefaultRun = 'only-unfinished' | 'newest';

/** The run that is named, or the one that is meant. RUN_UNKNOWN; RUN_AMBIGUOUS with the list where several are unfinished. */
export async function selectRun(
  project: Project,
  named: string | undefined,
  otherwise: DefaultRun,
): Promise<StoredRun> {
  const ids = await listRuns(project.stateRoot);
  if (named !== undefined) return readRun(project, namedRun(ids, named));
  const newest = ids.at(-1);
  if (newest === undefined) throw noRun('this project has no run yet', ids);
  if (otherwise === 'newest') return readRun(project, newest);
  return onlyUnfinished(await surveyRuns(project), ids);
}

/** Every run of a project; one that can't be read holds up no other (AW-3). */
export async function surveyRuns(project: Project): Promise<RunSurvey> {
  const found = await Promise.all((await listRuns(project.stateRoot)).map((id) => readOrDamage(project, id)));
  return {
    runs: found.flatMap((one) => ('manifest' in one ? [one] : [])),
    unreadable: found.flatMap((one) => ('error' in one ? [one] : [])),
  };
}

/** A run as it is on disk now; throws as `loadManifest`. */
export async function readRun(project: Project, runId: RunId): Promise<StoredRun> {
  const layout = layoutOfRun(project.stateRoot, runId);
  const manifest = await loadManifest(layout);
  const { records, unreadable } = await surveyRecords(layout);
  return { layout, manifest, records, unreadable: await withMarkers(layout, unreadable) };
}

/** True while an attempt is open or a phase is due. What is due in a run with a record that can't be read isn't known. */
export function isUnfinished({ manifest, records, unreadable }: Omit<StoredRun, 'layout'>): boolean {
  if (records.some((record) => !isTerminalStatus(record.status)) || unreadable.some(({ isOpen }) => isOpen))
    return true;
  return unreadable.length === 0 && nextPhase(manifest, records, { mayRecover: false }).kind !== 'ended';
}

async function readOrDamage(project: Project, runId: RunId): Promise<StoredRun | RunSurvey['unreadable'][number]> {
  try {
    return await readRun(project, runId);
  } catch (error) {
    if (isDurableFileError(error)) return { runId, error };
    throw error;
  }
}

async function withMarkers(layout: RunLayout, unreadable: readonly Unreadable[]): Promise<readonly DamagedRecord[]> {
  if (unreadable.length === 0) return [];
  const open = new Set((await surveyOpenAttempts(layout)).unreadable.map(({ path }) => path));
  return unreadable.map((one) => ({ ...one, isOpen: open.has(one.path) }));
}

function namedRun(ids: readonly RunId[], named: string): RunId {
  if (isRunId(named) && ids.includes(named)) return named;
  throw noRun(`there is no run "${named}"`, ids);
}

function onlyUnfinished({ runs, unreadable }: RunSurvey, ids: readonly RunId[]): StoredRun {
  const unfinished = runs.filter(isUnfinished);
  const [only] = unfinished;
  if (only === undefined) throw noneUnfinished({ runs, unreadable }, ids);
  if (unfinished.length === 1) return only;
  const names = unfinished.map((run) => run.manifest.runId);
  throw new RunError('RUN_AMBIGUOUS', `${names.length} runs are unfinished: ${names.join(', ')}`, {
    names,
    hint: 'name one with --run',
  });
}

/** Says what couldn't be looked at: a run that can't be read may be the one that was meant. */
function noneUnfinished({ runs, unreadable }: RunSurvey, ids: readonly RunId[]): Error {
  const damaged = [
    ...unreadable.map(({ error }) => error),
    ...runs.flatMap((run) => run.unreadable.map(({ error }) => error)),
  ];
  const [first] = damaged;
  if (first === undefined) return noRun('no run of this project is unfinished', ids);
  return first;
}

function noRun(message: string, ids: readonly RunId[]): RunError {
  return new RunError('RUN_UNKNOWN', message, {
    names: ids,
    hint: ids.length === 0 ? '`bailiwick run start TASK.md` makes one' : `runs here: ${ids.slice(-5).join(', ')}`,
  });
}
