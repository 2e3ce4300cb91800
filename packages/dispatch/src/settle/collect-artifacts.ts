import { dirname, join, relative, sep } from 'node:path';
import { type CollectedArtifact, type DispatchRecord, resultsFolderOf } from '@bailiwick/dispatch-state';
import { copyFileDurably, ensureFolder, isDurableFileError, readTextFile } from '@bailiwick/durable-files';
import type { DispatchContext } from '../context.ts';
import { bothEnded, mapSeveral } from '../several-at-once.ts';
import { parseWorkerResult, type WorkerResult } from './worker-result.ts';

/** An artifact larger than this is no result of a worker; it counts as missing, with this as the reason. */
const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;

/** What of a record says what its worker owes, and where. */
type OwingRecord = Pick<DispatchRecord, 'dispatchId' | 'completionPaths' | 'dropBoxPath' | 'resultPath'>;

/** What an attempt's drop box held of what it owes. */
export interface Collected {
  readonly artifacts: readonly CollectedArtifact[];
  readonly missing: readonly string[];
  readonly workerResult: WorkerResult;
}

/**
 * Copies what an attempt owes out of its drop box, by digest, each to the same place below the attempt's results, so that two outputs of
 * one name stay two; only the copies are read from here on (MA-13). A path that is
 * absent, empty, no regular file, behind a symlink or too large is missing.
 */
export async function collectArtifacts(context: DispatchContext, record: OwingRecord): Promise<Collected> {
  const folder = resultsFolderOf(context.layout, record.dispatchId);
  const paths = [...new Set(record.completionPaths)];
  const copies = await copyInto(folder, paths, record.dropBoxPath);
  const artifacts = paths.flatMap((path, at): readonly CollectedArtifact[] => {
    const copy = copies[at];
    if (copy === undefined) return [];
    const { copyPath, digest, size: bytes } = copy;
    return [{ path, copy: relative(context.layout.runDirectory, copyPath), digest, bytes }];
  });
  const missing = paths.filter((_, at) => copies[at] === undefined);
  return { artifacts, missing, workerResult: await readWorkerResult(context, record, artifacts) };
}

/** The folder is there at once; its name becomes durable beside what is copied into it. */
async function copyInto(folder: string, paths: readonly string[], within: string) {
  const making = ensureFolder(folder);
  const copying = mapSeveral(paths, (path) => collectOne(path, folder, within));
  const [, copied] = await bothEnded(making, copying);
  return copied;
}

/** Absent, no regular file, behind a link, or too large: how a worker can have left what it owes. A full disk of ours is none of it. */
const LEFT_WRONG: ReadonlySet<string> = new Set([
  'FILE_MISSING',
  'FOLDER_MISSING',
  'NOT_A_REGULAR_FILE',
  'NOT_A_FOLDER',
  'FILE_TOO_LARGE',
  'PATH_ESCAPES',
  'NO_PERMISSION',
]);

async function collectOne(path: string, folder: string, within: string) {
  const place = relative(within, path);
  if (place === '' || place === '..' || place.startsWith(`..${sep}`)) return undefined;
  const copyPath = join(folder, place);
  try {
    if (dirname(copyPath) !== folder) await ensureFolder(dirname(copyPath));
    const { digest, size } = await copyFileDurably(path, copyPath, { maxBytes: MAX_ARTIFACT_BYTES, within });
    return size === 0 ? undefined : { copyPath, digest, size };
  } catch (error) {
    if (isDurableFileError(error) && LEFT_WRONG.has(error.code)) return undefined;
    throw error;
  }
}

async function readWorkerResult(
  context: DispatchContext,
  record: OwingRecord,
  artifacts: readonly CollectedArtifact[],
): Promise<WorkerResult> {
  const artifact = artifacts.find((row) => row.path === record.resultPath);
  if (artifact === undefined || !record.resultPath.endsWith('.json')) return parseWorkerResult('');
  const text = await readTextFile(join(context.layout.runDirectory, artifact.copy), {
    maxBytes: MAX_ARTIFACT_BYTES,
  }).catch(() => undefined);
  return parseWorkerResult(text ?? '');
}
