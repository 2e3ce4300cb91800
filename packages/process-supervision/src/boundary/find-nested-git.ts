import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';

/** How long the event loop waits at most: reading folders one by one without waiting is several times faster. */
const SLICE_MS = 10;

/**
 * Every `.git` below a folder, its own apart: nested repositories, submodules and linked worktrees, ignored ones too.
 * Links aren't followed, nor our own folder entered, and what can't be read is passed over: the audit tells of it. Sorted.
 */
export async function findNestedGit(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = listed(root)
    .filter(isFolderOfInterest)
    .map((entry) => join(root, entry.name));
  let sliceEndsMs = performance.now() + SLICE_MS;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of listed(folder)) {
      if (entry.name === '.git') found.push(join(folder, entry.name));
      else if (entry.isDirectory()) waiting.push(join(folder, entry.name));
    }
    if (performance.now() < sliceEndsMs) continue;
    await breathe();
    sliceEndsMs = performance.now() + SLICE_MS;
  }
  return found.sort();
}

function isFolderOfInterest(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== '.git' && entry.name !== '.bailiwick';
}

function listed(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
