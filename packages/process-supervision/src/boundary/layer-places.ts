import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LayerOrder } from '@bailiwick/dispatch-state';
import { LayerFolder } from './layer-mounts.ts';
import type { PathFacts } from './path-facts.ts';
import type { Mount } from './plan-mounts.ts';
import { removeStubbornly } from './remove-stubbornly.ts';

/**
 * The folders that an overlay needs, empty; what lay there is of an earlier start of the same attempt. The uppermost
 * folder is what the work tree's own looks like from inside.
 */
export async function makeLayerFolders({ worktree, folder, means }: LayerOrder): Promise<void> {
  if (means.kind === 'copy') return;
  await removeStubbornly(folder);
  const { upper, work, lower, merged } = LayerFolder;
  const names = means.kind === 'mount' ? [upper, work, lower, merged] : [upper, work];
  for (const name of names) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  await chmod(join(folder, upper), (await stat(worktree)).mode & 0o7777);
}

/** What is bound into a copy needs a place there; an overlay shows what the tree has. Nobody but us has written in a new copy. */
export async function makePlacesInCopy(
  { worktree, folder, means }: LayerOrder,
  mounts: readonly Mount[],
  facts: ReadonlyMap<string, PathFacts>,
): Promise<void> {
  if (means.kind !== 'copy') return;
  for (const { path } of mounts.filter((mount) => mount.path.startsWith(`${worktree}/`))) {
    const place = join(folder, LayerFolder.copy, relative(worktree, path));
    const isFile = facts.get(path)?.kind === 'file';
    await mkdir(isFile ? dirname(place) : place, { recursive: true });
    if (isFile) await writeFile(place, '', { flag: 'a' });
  }
}
