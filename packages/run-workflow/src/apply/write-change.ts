import { isUtf8 } from 'node:buffer';
import { chmod, mkdir, open, rename, rm, symlink } from 'node:fs/promises';
import { copyFileDurably } from '@bailiwick/durable-files';
import { type FileContent, isExecutable } from './file-content.ts';
import type { PlannedChange } from './plan-change.ts';
import { parentOf } from './worktree-changes.ts';

/** Writes changes that were checked: what goes first, so that a file can become a folder. */
export async function writeChanges(changes: readonly PlannedChange[]): Promise<void> {
  for (const { to, ours } of changes) if (ours === null) await rm(to, { force: true });
  for (const change of changes) if (change.ours !== null) await writeChange(change, change.ours);
}

async function writeChange({ from, to, theirs }: PlannedChange, ours: FileContent): Promise<void> {
  await mkdir(parentOf(to), { recursive: true });
  if (ours.kind === 'symlink') return replace(to, (staging) => symlink(ours.bytes, staging));
  if (theirs?.kind === 'symlink') await rm(to);
  const mode = modeFor(ours, theirs);
  // Only the file system takes a name that isn't UTF-8; such a file is written as it was read and checked.
  if (isUtf8(to)) await copyFileDurably(from.toString(), to.toString(), { mode });
  else await replace(to, (staging) => writeFlushed(staging, ours.bytes));
  await chmod(to, mode);
}

/** A person's own permissions stay, unless the run changed whether the file can be executed. */
function modeFor(ours: FileContent, theirs: FileContent | null): number {
  return theirs?.kind === 'file' && isExecutable(theirs) === isExecutable(ours) ? theirs.mode : ours.mode;
}

const STAGING = Buffer.from('.bailiwick-staging');

/** What stands there is whole until the new one is. */
async function replace(path: Buffer, make: (staging: Buffer) => Promise<void>): Promise<void> {
  const folder = parentOf(path);
  const staging = Buffer.concat([folder, Buffer.from('/'), STAGING]);
  await rm(staging, { force: true });
  await make(staging);
  await rename(staging, path);
}

async function writeFlushed(path: Buffer, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
