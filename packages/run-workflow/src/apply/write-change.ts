import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyFileDurably } from '@bailiwick/durable-files';
import { type FileContent, isExecutable } from './file-content.ts';
import type { PlannedChange } from './plan-change.ts';

/** Writes changes that were checked: what goes first, so that a file can become a folder. */
export async function writeChanges(changes: readonly PlannedChange[]): Promise<void> {
  for (const { to, ours } of changes) if (ours === null) await rm(to, { force: true });
  for (const change of changes) if (change.ours !== null) await writeChange(change, change.ours);
}

async function writeChange({ from, to, theirs }: PlannedChange, ours: FileContent): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (ours.kind === 'symlink') return replaceLink(to, ours.bytes);
  if (theirs?.kind === 'symlink') await rm(to);
  const mode = modeFor(ours, theirs);
  await copyFileDurably(from, to, { mode });
  await chmod(to, mode);
}

/** A person's own permissions stay, unless the run changed whether the file can be executed. */
function modeFor(ours: FileContent, theirs: FileContent | null): number {
  return theirs?.kind === 'file' && isExecutable(theirs) === isExecutable(ours) ? theirs.mode : ours.mode;
}

async function replaceLink(path: string, target: Buffer): Promise<void> {
  const staging = `${path}.bailiwick-staging`;
  await rm(staging, { force: true });
  await symlink(target, staging);
  await rename(staging, path);
}
