import { lstatSync } from 'node:fs';
import {
  canonicalJson,
  encodeFileName,
  ensureFolder,
  isDurableFileError,
  listFolder,
  readDocument,
  withLock,
  writeDocument,
} from '@bailiwick/durable-files';
import { type InvocationRef, isRunId, type RunId } from '@bailiwick/execution-identity';
import { invocationCodec, runManifestCodec, statusSidecarCodec } from './codecs.ts';
import { DispatchStateError } from './errors.ts';
import type { Invocation } from './model/invocation.ts';
import type { RunManifest } from './model/run-manifest.ts';
import type { StatusSidecar } from './model/status-sidecar.ts';
import { isThere } from './path-there.ts';
import { foldersOf, invocationPathOf, layoutOfRun, type RunLayout, runLockPathOf, runsFolderOf } from './run-layout.ts';

/** How long a command waits for another command's short critical section; an audit is never made inside one. */
export const RUN_LOCK_TIMEOUT_MS = 30_000;

/**
 * Makes the folders of a run and its manifest, all durable when it returns.
 *
 * @throws DispatchStateError RUN_EXISTS where the run has a manifest, which stays as it is; DurableFileError as `writeDocument`
 */
export async function createRun(layout: RunLayout, manifest: RunManifest): Promise<void> {
  for (const folder of foldersOf(layout)) await ensureFolder(folder, { mode: 0o700 });
  try {
    await writeDocument(layout.manifestPath, runManifestCodec, manifest, { exclusive: true });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
    throw new DispatchStateError('RUN_EXISTS', `run ${manifest.runId} is there already`, {
      path: layout.manifestPath,
      hint: 'make the run under a new id',
      cause: error,
    });
  }
}

/**
 * The manifest as it is on disk now.
 *
 * @throws DispatchStateError RUN_MISSING where there is none; DurableFileError as `readDocument`
 */
export async function loadManifest(layout: RunLayout): Promise<RunManifest> {
  const manifest = await readDocument(layout.manifestPath, runManifestCodec);
  if (manifest !== undefined) return manifest;
  throw new DispatchStateError('RUN_MISSING', `there is no run ${layout.runId}`, {
    path: layout.manifestPath,
    hint: '`bailiwick run list` names the runs of this project',
  });
}

/** The ids of all runs below a state root, in the order of their ids (`newRunId`: oldest first); a folder without a manifest is no run yet. */
export async function listRuns(stateRoot: string): Promise<readonly RunId[]> {
  const ids = (await listFolder(runsFolderOf(stateRoot))).flatMap(runIdIn);
  return ids.filter((id) => isThere(layoutOfRun(stateRoot, id).manifestPath));
}

/** Runs `work` while no other command of the run is in a critical section. Short work only. Throws DurableFileError LOCK_TIMEOUT. */
export async function withRunLock<T>(layout: RunLayout, work: () => Promise<T>): Promise<T> {
  return withLock(runLockPathOf(layout), { timeoutMs: RUN_LOCK_TIMEOUT_MS }, work);
}

/** The stored invocation, or undefined where it was never stored. Throws DurableFileError as `readDocument`. */
export async function readInvocation(layout: RunLayout, ref: InvocationRef): Promise<Invocation | undefined> {
  return readDocument(invocationPathOf(layout, ref), invocationCodec);
}

/**
 * Stores an invocation before its first launch, durable when it returns; one that is stored already stays as it is.
 *
 * @throws DispatchStateError INVOCATION_DIFFERS where another content is stored: an attempt would run under a contract that isn't its own
 * (WP-6). DurableFileError as `writeDocument`
 */
export async function saveInvocation(layout: RunLayout, invocation: Invocation): Promise<void> {
  const path = invocationPathOf(layout, invocation.invocationRef);
  const stored = await readInvocation(layout, invocation.invocationRef);
  if (stored === undefined) await writeDocument(path, invocationCodec, invocation, { exclusive: true });
  else if (!isSame(stored, invocation)) throw invocationDiffers(stored, invocation, path);
}

/** A supervisor's word on its attempt, or undefined before the first. Throws DurableFileError as `readDocument`. */
export async function readSidecar(path: string): Promise<StatusSidecar | undefined> {
  return readDocument(path, statusSidecarCodec);
}

/** Replaces a sidecar; durable when it returns. Throws DurableFileError as `writeDocument`. */
export async function writeSidecar(path: string, sidecar: StatusSidecar): Promise<void> {
  await writeDocument(path, statusSidecarCodec, sidecar);
}

/** Current size of a log in bytes: where rows of an attempt that is claimed now will begin. 0 where it doesn't exist yet. */
export async function logSizeOf(path: string): Promise<number> {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The run whose folder has this name; nothing for a name that no run's folder has. */
function runIdIn(name: string): readonly RunId[] {
  const id = percentDecoded(name);
  return isRunId(id) && encodeFileName(id) === name ? [id] : [];
}

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function isSame(stored: Invocation, wanted: Invocation): boolean {
  return canonicalJson(stored) === canonicalJson(invocationCodec.encode(wanted));
}

function invocationDiffers(stored: Invocation, wanted: Invocation, path: string): DispatchStateError {
  const fields = Object.keys(invocationCodec.encode(wanted) as object).filter(
    (key) => canonicalJson(Reflect.get(stored, key)) !== canonicalJson(Reflect.get(wanted, key)),
  );
  return new DispatchStateError(
    'INVOCATION_DIFFERS',
    `invocation ${wanted.invocationRef} is stored with another ${fields.join(', ')}`,
    { path, hint: 'the stored one stands; what asks for something else needs an invocation of its own' },
  );
}
