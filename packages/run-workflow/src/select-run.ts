import {
  type AttemptFacts,
  type DispatchRecord,
  isTerminalStatus,
  layoutOfRun,
  listRuns,
  loadManifest,
  type RunLayout,
  type RunManifest,
  readOpenUnaudited,
  surveyAttempts,
  surveyOpenAttempts,
  surveyRecords,
  surveyRemovedRecords,
  surveyUnaudited,
  type UnauditedRecord,
  type Unreadable,
} from '@bailiwick/dispatch-state';
import { type DurableFileError, isDurableFileError } from '@bailiwick/durable-files';
import { isRunId, type RunId } from '@bailiwick/execution-identity';
import { RunError } from './errors.ts';
import { nextPhase } from './phases/next-phase.ts';
import type { Project } from './project/find-project.ts';

/** A record that is there and can't be read, or that was removed while its attempt was open. */
export interface DamagedRecord extends Unreadable {
  /** Whether its attempt isn't settled, as far as its marker says. */
  readonly isOpen: boolean;
}

/** A run that is there. */
export interface LocatedRun {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
}

/** A run with what is known of it now: every record, so for who shows or judges it; who works in it takes `locateRun`. */
export interface StoredRun extends LocatedRun {
  readonly records: readonly DispatchRecord[];
  /** v1 jobs, which nobody audited: they complete no phase. Absent where there are none. */
  readonly unaudited?: readonly UnauditedRecord[];
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

/** The run that is named, or the one that is meant, with its records. Throws as `locateRun`. */
export async function selectRun(
  project: Project,
  named: string | undefined,
  otherwise: DefaultRun,
): Promise<StoredRun> {
  return readRun(project, (await locateRun(project, named, otherwise)).manifest.runId);
}

/**
 * The run that is named, or the one that is meant; costs what isn't settled, not what the runs hold. RUN_UNKNOWN; RUN_AMBIGUOUS with the
 * list where several are unfinished; as `loadManifest`.
 */
export async function locateRun(
  project: Project,
  named: string | undefined,
  otherwise: DefaultRun,
): Promise<LocatedRun> {
  const ids = await listRuns(project.stateRoot);
  if (named !== undefined) return locate(project, namedRun(ids, named));
  const newest = ids.at(-1);
  if (newest === undefined) throw noRun('this project has no run yet', ids);
  if (otherwise === 'newest') return locate(project, newest);
  return onlyUnfinished(await Promise.all(ids.map((id) => standingOf(project, id))), ids);
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
  const { layout, manifest } = await locate(project, runId);
  const { records, unreadable } = await surveyRecords(layout);
  const old = await surveyUnaudited(layout);
  return {
    layout,
    manifest,
    records,
    ...(old.records.length === 0 ? {} : { unaudited: old.records }),
    unreadable: [
      ...(await damagedRecords(layout, unreadable)),
      ...old.unreadable.map((one) => ({ ...one, isOpen: true })),
    ],
  };
}

/** True while an attempt is open or a phase is due. What is due in a run with a record that can't be read isn't known. */
export function isUnfinished(run: {
  readonly manifest: RunManifest;
  readonly records: readonly AttemptFacts[];
  readonly unreadable: readonly DamagedRecord[];
}): boolean {
  const { manifest, records, unreadable } = run;
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

/** Those that can't be read, and those that were removed while their attempts were open. */
async function damagedRecords(layout: RunLayout, unreadable: readonly Unreadable[]): Promise<readonly DamagedRecord[]> {
  const removed = (await surveyRemovedRecords(layout)).map((one) => ({ ...one, isOpen: true }));
  if (unreadable.length === 0) return removed;
  const open = new Set((await surveyOpenAttempts(layout)).unreadable.map(({ path }) => path));
  return [...unreadable.map((one) => ({ ...one, isOpen: open.has(one.path) })), ...removed];
}

function namedRun(ids: readonly RunId[], named: string): RunId {
  if (isRunId(named) && ids.includes(named)) return named;
  throw noRun(`there is no run "${named}"`, ids);
}

/** A run as far as it can be looked at. */
interface Standing {
  readonly run: LocatedRun | null;
  readonly isUnfinished: boolean;
  readonly damage: readonly DurableFileError[];
}

async function standingOf(project: Project, runId: RunId): Promise<Standing> {
  try {
    const run = await locate(project, runId);
    const { attempts, unreadable } = await surveyAttempts(run.layout);
    const damaged = await damagedRecords(run.layout, unreadable);
    return {
      run,
      isUnfinished:
        isUnfinished({ manifest: run.manifest, records: attempts, unreadable: damaged }) ||
        (await readOpenUnaudited(run.layout)).length > 0,
      damage: damaged.map(({ error }) => error),
    };
  } catch (error) {
    if (isDurableFileError(error)) return { run: null, isUnfinished: false, damage: [error] };
    throw error;
  }
}

async function locate(project: Project, runId: RunId): Promise<LocatedRun> {
  const layout = layoutOfRun(project.stateRoot, runId);
  return { layout, manifest: await loadManifest(layout) };
}

function onlyUnfinished(standings: readonly Standing[], ids: readonly RunId[]): LocatedRun {
  const unfinished = standings.flatMap((one) => (one.run !== null && one.isUnfinished ? [one.run] : []));
  const [only] = unfinished;
  if (only === undefined) throw noneUnfinished(standings, ids);
  if (unfinished.length === 1) return only;
  const names = unfinished.map((run) => run.manifest.runId);
  throw new RunError('RUN_AMBIGUOUS', `${names.length} runs are unfinished: ${names.join(', ')}`, {
    names,
    hint: 'name one with --run',
  });
}

/** Says what couldn't be looked at: a run that can't be read may be the one that was meant. */
function noneUnfinished(standings: readonly Standing[], ids: readonly RunId[]): Error {
  const [first] = [
    ...standings.filter(({ run }) => run === null).flatMap(({ damage }) => damage),
    ...standings.flatMap(({ damage }) => damage),
  ];
  if (first === undefined) return noRun('no run of this project is unfinished', ids);
  return first;
}

function noRun(message: string, ids: readonly RunId[]): RunError {
  return new RunError('RUN_UNKNOWN', message, {
    names: ids,
    hint: ids.length === 0 ? '`bailiwick run start TASK.md` makes one' : `runs here: ${ids.slice(-5).join(', ')}`,
  });
}
