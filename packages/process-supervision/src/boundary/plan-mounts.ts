import { posix } from 'node:path';
import type { PathFacts } from './path-facts.ts';

/**
 * One bind of a path onto itself. Every destination exists before bubblewrap starts and has no symbolic link on its way:
 * bubblewrap would make a missing one, and follow a planted link to make it outside (CVE-2026-87766, not fixed before
 * its version 0.12).
 */
export interface Mount {
  /** `layer`: a throw-away layer of the path instead of the path itself. */
  readonly kind: 'writable' | 'read-only' | 'layer';
  readonly path: string;
}

export type MountPlan =
  | {
      readonly kind: 'planned';
      readonly mounts: readonly Mount[];
      /** Paths that should be read-only and aren't, since each would cost a mount too many; the audit alone sees them. */
      readonly leftOut: readonly string[];
    }
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string };

export interface MountRequest {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** A folder that is to be seen through a throw-away layer. */
  readonly layer?: string;
}

/** Fifty binds cost 17 ms at each start, a hundred 40, four hundred 360: the cost grows faster than their number. */
export const MAX_MOUNTS = 50;

/** The paths whose facts {@link planMounts} asks for. */
export function pathsToLookAt({ writable, readOnly, layer }: MountRequest): readonly string[] {
  return [...new Set([...writable, ...readOnly, ...(layer === undefined ? [] : [layer])])];
}

/**
 * The mounts of a boundary, over a root that is read-only as a whole, outermost first: what may be written, what is
 * read-only in it, and every folder on the way to something read-only bound onto itself, since a folder that is no
 * mount could be renamed, with what is locked in it, and rebuilt. Of two paths around a place the longer one counts, on
 * a tie the read-only one. Refuses what can't be held as asked; a read-only path
 * that doesn't exist is left to the audit. In a layer nothing is bound onto itself: that would be the folder itself.
 */
export function planMounts(request: MountRequest, facts: ReadonlyMap<string, PathFacts>): MountPlan {
  const { readOnly, layer } = request;
  const open = [...new Set([...request.writable, ...(layer === undefined ? [] : [layer])])].filter(
    (path) => !readOnly.includes(path),
  );
  const locked = [...new Set(readOnly)].filter((path) => isInOpen(path, open, readOnly));
  const refusal = refusalOf(open, locked, facts);
  if (refusal !== undefined) return refusal;
  const isThere = (path: string): boolean => ['folder', 'file'].includes(facts.get(path)?.kind ?? '');
  return withinBudget(open, locked.filter(isThere), layer);
}

/** bubblewrap lays a file system of its own over these. */
const REPLACED = ['/dev', '/proc'];

function refusalOf(
  open: readonly string[],
  locked: readonly string[],
  facts: ReadonlyMap<string, PathFacts>,
): MountPlan | undefined {
  for (const path of open) {
    const fact = facts.get(path);
    if (fact?.isReal === false) return refused(path, 'is, or lies behind, a symbolic link');
    if (fact?.kind !== 'folder') return refused(path, 'is no folder that exists');
    if (REPLACED.some((folder) => isInside(path, folder))) return refused(path, 'lies in /dev or /proc');
  }
  const linked = locked.find((path) => facts.get(path)?.isReal === false);
  return linked === undefined ? undefined : refused(linked, 'is, or lies behind, a symbolic link');
}

function refused(path: string, what: string): MountPlan {
  return { kind: 'refused', path, reason: `${path} ${what}, so that it can't be bound` };
}

/** Whether a read-only path lies in something open; elsewhere the root is read-only anyway. */
function isInOpen(path: string, open: readonly string[], readOnly: readonly string[]): boolean {
  const around = (list: readonly string[]): number =>
    Math.max(0, ...list.filter((other) => other !== path && isInside(path, other)).map((other) => other.length));
  return around(open) > around(readOnly);
}

/** Locks the shallowest first; one that no longer fits is left out. */
function withinBudget(open: readonly string[], locked: readonly string[], layer: string | undefined): MountPlan {
  const chosen = new Map(
    open.map((path): [string, Mount] => [path, { kind: path === layer ? 'layer' : 'writable', path }]),
  );
  const leftOut: string[] = [];
  for (const path of [...locked].sort(byDepth)) {
    const root = innermostAround(path, open);
    const pins = root === layer ? [] : foldersBetween(path, root).filter((folder) => !chosen.has(folder));
    if (chosen.size + pins.length + 1 > MAX_MOUNTS) {
      leftOut.push(path);
      continue;
    }
    for (const folder of pins) chosen.set(folder, { kind: 'writable', path: folder });
    chosen.set(path, { kind: 'read-only', path });
  }
  const mounts = [...chosen.values()].sort((a, b) => byDepth(a.path, b.path));
  return { kind: 'planned', mounts, leftOut: leftOut.sort() };
}

function innermostAround(path: string, roots: readonly string[]): string | undefined {
  const around = roots.filter((root) => root !== path && isInside(path, root));
  return around.reduce<string | undefined>((a, b) => (a === undefined || b.length > a.length ? b : a), undefined);
}

/** The folders from just below a root around a path down to its parent. */
function foldersBetween(path: string, root: string | undefined): readonly string[] {
  if (root === undefined) return [];
  const folders: string[] = [];
  for (let at = posix.dirname(path); at.length > root.length; at = posix.dirname(at)) folders.push(at);
  return folders.reverse();
}

function byDepth(a: string, b: string): number {
  return depthOf(a) - depthOf(b) || (a < b ? -1 : Number(a > b));
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}
