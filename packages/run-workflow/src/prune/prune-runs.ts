import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dropBoxOf, withClaimLocks } from '@bailiwick/dispatch';
import { encodeFileName, ensureFolder, isDurableFileError } from '@bailiwick/durable-files';
import type { RunId } from '@bailiwick/execution-identity';
import { removeWorktree } from '../create/worktree.ts';
import { isRunError, RunError } from '../errors.ts';
import type { Project } from '../project/find-project.ts';
import { readRun, type StoredRun, surveyRuns } from '../select-run.ts';
import { sizeOf } from './size-of.ts';
import { whyItStays } from './why-it-stays.ts';

/** Which runs are looked at, and whether what may go goes. */
export interface PruneRequest {
  /** Run ids; empty looks at every run. */
  readonly named: readonly string[];
  /** Leaves runs alone whose last end, or making, is younger than this. */
  readonly olderThanMs: number;
  readonly now: Date;
  /** False changes nothing. */
  readonly removes: boolean;
}

/** What became of one run, or would. */
export interface PrunedRun {
  readonly runId: RunId;
  readonly fate: 'may-go' | 'gone' | 'stays';
  /** Why it stays; empty where it doesn't. */
  readonly reason: string;
  /** Of its folder, drop boxes and worktree. */
  readonly bytes: number;
}

/**
 * Which runs of a project may go, and, where asked for, takes them away: folder, drop boxes, worktree and branch.
 *
 * P1 A run goes only while its locks and the project's claim lock are held and every question was asked again under them.
 * P2 It is no run any more before anything in it is deleted: its folder is moved to `pruned/` first. What a cut-off prune left there goes with
 *    the next one.
 *
 * @throws RunError RUN_UNKNOWN where a named one isn't there
 */
export async function pruneRuns(project: Project, request: PruneRequest): Promise<readonly PrunedRun[]> {
  const { runs, unreadable } = await surveyRuns(project);
  refuseUnknown(request, [...runs.map(({ manifest }) => manifest.runId), ...unreadable.map(({ runId }) => runId)]);
  if (request.removes) await rm(graveyardOf(project), { recursive: true, force: true });
  const pruned: PrunedRun[] = [];
  for (const { runId, error } of unreadable)
    if (isMeant(request, runId)) pruned.push({ runId, fate: 'stays', reason: error.message, bytes: 0 });
  for (const run of runs) if (isMeant(request, run.manifest.runId)) pruned.push(await pruneOne(project, run, request));
  return pruned;
}

function isMeant({ named }: PruneRequest, runId: RunId): boolean {
  return named.length === 0 || named.includes(runId);
}

function refuseUnknown({ named }: PruneRequest, ids: readonly RunId[]): void {
  const unknown = named.filter((name) => !ids.some((id) => id === name));
  if (unknown.length === 0) return;
  throw new RunError('RUN_UNKNOWN', `there is no run ${unknown.join(', ')}`, {
    names: ids,
    hint: '`bailiwick run list` names the runs of this project',
  });
}

async function pruneOne(project: Project, run: StoredRun, request: PruneRequest): Promise<PrunedRun> {
  const { runId } = run.manifest;
  const bytes = await bytesOf(run);
  const reason = await reasonOf(run, request);
  if (reason !== null) return { runId, fate: 'stays', reason, bytes };
  if (!request.removes) return { runId, fate: 'may-go', reason: '', bytes };
  try {
    const since = await remove(project, run, request);
    return since === null ? { runId, fate: 'gone', reason: '', bytes } : { runId, fate: 'stays', reason: since, bytes };
  } catch (error) {
    if (!isRunError(error) && !isDurableFileError(error)) throw error;
    return { runId, fate: 'stays', reason: error.message, bytes };
  }
}

async function reasonOf(run: StoredRun, request: PruneRequest): Promise<string | null> {
  const isNamed = request.named.length > 0;
  return (await whyItStays(run, { isNamed })) ?? (isYoung(run, request) ? 'it is younger than asked for' : null);
}

function isYoung({ manifest, records, unaudited = [] }: StoredRun, { now, olderThanMs }: PruneRequest): boolean {
  const ends = [...records, ...unaudited].flatMap(({ finishedAt }) => finishedAt ?? []);
  const times = [manifest.createdAt, ...ends].map((at) => Date.parse(at));
  return now.getTime() - Math.max(...times) < olderThanMs;
}

/** Null once the run is gone; else why it stays after all (P1, P2). */
async function remove(
  project: Project,
  { layout, manifest }: StoredRun,
  request: PruneRequest,
): Promise<string | null> {
  const grave = join(graveyardOf(project), encodeFileName(manifest.runId));
  const reason = await withClaimLocks({ stateRoot: project.stateRoot, layout }, async () => {
    const fresh = await readRun(project, manifest.runId);
    const since = await reasonOf(fresh, request);
    if (since !== null) return since;
    if (await isThere(manifest.worktree)) await removeWorktree(project, manifest);
    for (const box of dropBoxesOf(fresh)) await rm(box, { recursive: true, force: true });
    await ensureFolder(graveyardOf(project), { mode: 0o700 });
    await rename(layout.runDirectory, grave);
    return null;
  });
  if (reason === null) await rm(graveyardOf(project), { recursive: true, force: true });
  return reason;
}

async function bytesOf(run: StoredRun): Promise<number> {
  const { worktree } = run.manifest;
  const places = [run.layout.runDirectory, ...dropBoxesOf(run), ...(worktree === null ? [] : [worktree])];
  let bytes = 0;
  for (const place of places) bytes += await sizeOf(place);
  return bytes;
}

/** Of a v1 job by its invocation's id, as it was made. */
function dropBoxesOf({ manifest, records, unaudited = [] }: StoredRun): readonly string[] {
  const owners = [
    ...records.map(({ invocationRef }) => invocationRef),
    ...unaudited.map(({ invocationId }) => invocationId),
  ];
  return [...new Set(owners.map((owner) => dropBoxOf(manifest.projectRoot, owner)))];
}

function graveyardOf({ stateRoot }: Project): string {
  return join(stateRoot, 'pruned');
}

async function isThere(path: string | null): Promise<boolean> {
  if (path === null) return false;
  return lstat(path).then(
    () => true,
    () => false,
  );
}
