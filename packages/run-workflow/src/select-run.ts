import {
  type DispatchRecord,
  isTerminalStatus,
  layoutOfRun,
  listRuns,
  loadManifest,
  type RunLayout,
  type RunManifest,
  readAllRecords,
} from '@bailiwick/dispatch-state';
import { isRunId, type RunId } from '@bailiwick/execution-identity';
import { RunError } from './errors.ts';
import { nextPhase } from './phases/next-phase.ts';
import type { Project } from './project/find-project.ts';

/** A run with what is known of it now. */
export interface StoredRun {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
  readonly records: readonly DispatchRecord[];
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
  return onlyUnfinished(await Promise.all(ids.map((id) => readRun(project, id))), ids);
}

/** Every run of a project, oldest first. */
/** A run as it is on disk now; throws as `loadManifest` and `readAllRecords`. */
export async function readRuns(project: Project): Promise<readonly StoredRun[]> {
  return Promise.all((await listRuns(project.stateRoot)).map((id) => readRun(project, id)));
}

export async function readRun(project: Project, runId: RunId): Promise<StoredRun> {
  const layout = layoutOfRun(project.stateRoot, runId);
  return { layout, manifest: await loadManifest(layout), records: await readAllRecords(layout) };
}

/** True while an attempt is open or a phase is due. */
export function isUnfinished({ manifest, records }: Pick<StoredRun, 'manifest' | 'records'>): boolean {
  return (
    records.some((record) => !isTerminalStatus(record.status)) ||
    nextPhase(manifest, records, { mayRecover: false }).kind !== 'ended'
  );
}

function namedRun(ids: readonly RunId[], named: string): RunId {
  if (isRunId(named) && ids.includes(named)) return named;
  throw noRun(`there is no run "${named}"`, ids);
}

function onlyUnfinished(runs: readonly StoredRun[], ids: readonly RunId[]): StoredRun {
  const unfinished = runs.filter(isUnfinished);
  const [only] = unfinished;
  if (only === undefined) throw noRun('no run of this project is unfinished', ids);
  if (unfinished.length === 1) return only;
  const names = unfinished.map((run) => run.manifest.runId);
  throw new RunError('RUN_AMBIGUOUS', `${names.length} runs are unfinished: ${names.join(', ')}`, {
    names,
    hint: 'name one with --run',
  });
}

function noRun(message: string, ids: readonly RunId[]): RunError {
  return new RunError('RUN_UNKNOWN', message, {
    names: ids,
    hint: ids.length === 0 ? '`bailiwick run start TASK.md` makes one' : `runs here: ${ids.slice(-5).join(', ')}`,
  });
}
