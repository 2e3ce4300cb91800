import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type BytePath, forFileSystem } from '../path-name.ts';
import { isProblem, joinBytes, lookAt, readNames, systemCode, type WalkProblem } from '../tree/folder-reader.ts';
import type { KeptMemory } from '../tree/kept-memory.ts';
import { isFolderMode } from '../tree/stat-rows.ts';
import { spendTurn, TurnOver } from '../tree/turn.ts';

/** A control file's bytes, what stands there instead, or why it can't be known. */
export type ControlFile =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly executable: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'other'; readonly value: string }
  | { readonly kind: 'problem'; readonly problem: WalkProblem };

/** No control file that we read by content is larger (an index of two million entries is about 200 MiB). */
const MAX_CONTROL_BYTES = 512 * 1024 * 1024;

/** Reads a control file by content, never through a link and never waiting on a pipe. Its bytes go to `memory` where there is any. */
export function readControlFile(path: BytePath, memory?: KeptMemory): ControlFile {
  let descriptor: number;
  try {
    descriptor = openSync(
      forFileSystem(path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch (error) {
    return withoutOpening(path, error);
  }
  try {
    return readOpen(path, descriptor, memory);
  } catch (error) {
    if (error instanceof TurnOver) throw error;
    return { kind: 'problem', problem: { path, reason: `${systemCode(error)}: the control file cannot be read` } };
  } finally {
    closeSync(descriptor);
  }
}

function readOpen(path: BytePath, descriptor: number, memory: KeptMemory | undefined): ControlFile {
  const stat = fstatSync(descriptor);
  if (stat.isDirectory()) return { kind: 'other', value: 'folder' };
  if (!stat.isFile()) return { kind: 'other', value: 'special file' };
  if (stat.size > MAX_CONTROL_BYTES) {
    return { kind: 'problem', problem: { path, reason: `the control file has ${stat.size} bytes, too many to read` } };
  }
  spendTurn(stat.size);
  const bytes =
    memory === undefined ? Buffer.allocUnsafe(stat.size) : Buffer.from(memory.take(stat.size), 0, stat.size);
  let filled = 0;
  while (filled < bytes.length) {
    const got = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    if (got === 0) break;
    filled += got;
  }
  if (filled !== stat.size || fstatSync(descriptor).size !== stat.size) {
    return { kind: 'problem', problem: { path, reason: 'the control file changed while it was read' } };
  }
  return { kind: 'bytes', bytes, executable: (stat.mode & 0o111) !== 0 };
}

function withoutOpening(path: BytePath, error: unknown): ControlFile {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  if (code === 'ENXIO') return { kind: 'other', value: 'special file' };
  if (code === 'ELOOP') {
    try {
      return { kind: 'other', value: `link: ${readlinkSync(forFileSystem(path), 'latin1')}` };
    } catch {
      // Falls through: swapped again meanwhile.
    }
  }
  return { kind: 'problem', problem: { path, reason: `${code}: the control file cannot be opened` } };
}

/** `sha256:<hex>` of bytes. */
export function sha256Of(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The value of a control file that only its content decides: a digest, `x ` before it where it may be executed. */
export function valueOfFile(file: ControlFile, o: { withMode: boolean }): string | null {
  if (file.kind === 'absent' || file.kind === 'problem') return null;
  if (file.kind === 'other') return file.value;
  return `${o.withMode && file.executable ? 'x ' : ''}${sha256Of(file.bytes)}`;
}

/** All files below a folder, by path relative to it; links are files. Folders that can't be listed become problems. */
export function listFilesBelow(
  folder: BytePath,
  onProblem: (problem: WalkProblem) => void,
  o: { maxFiles?: number } = {},
): readonly string[] {
  const found: string[] = [];
  const open: string[] = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const names = readNames(at === '' ? folder : joinBytes(folder, at));
    if (isProblem(names)) {
      if (!/^(ENOENT|ENOTDIR)/.test(names.reason)) onProblem(names);
      continue;
    }
    for (const name of names) {
      const relative = at === '' ? name : `${at}/${name}`;
      const stat = lookAt(joinBytes(folder, relative));
      if (stat === undefined) continue;
      if (isProblem(stat)) onProblem(stat);
      else if (isFolderMode(stat.mode)) open.push(relative);
      else found.push(relative);
    }
    if (o.maxFiles !== undefined && found.length > o.maxFiles) {
      onProblem({ path: folder, reason: `more than ${o.maxFiles} files, too many to read` });
      return found;
    }
  }
  return found.sort();
}
