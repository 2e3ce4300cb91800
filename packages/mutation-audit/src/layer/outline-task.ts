import { parentOf } from '../git/locate.ts';
import type { PathName } from '../model.ts';
import { type BytePath, toPathName } from '../path-name.ts';
import { bothSpellings, checkRoots } from '../snapshot/check-roots.ts';
import { observeTree, type TreeView } from '../snapshot/observe-tree.ts';
import type { Crew } from '../thread/crew.ts';
import type { AuditTask } from '../thread/protocol.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { eachFolder } from '../tree/folder-text.ts';
import { Signature } from '../tree/signature.ts';
import { AT, fileTypeOf } from '../tree/stat-rows.ts';

/** What a copy may cost at most. */
export interface OutlineLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** A tree without its ignored folders, or how large it is. Paths are relative to it. */
export type TreeOutline =
  | {
      readonly kind: 'fits';
      /** A folder before what is in it. */
      readonly folders: readonly PathName[];
      /** Files and links. */
      readonly files: readonly PathName[];
      /** The uppermost folders that git ignores and tracks nothing in. */
      readonly ignoredFolders: readonly PathName[];
    }
  | { readonly kind: 'too-large'; readonly files: number; readonly bytes: number };

/** Outlines a tree: everything but what lies in ignored folders. */
export async function outlineTask(task: Extract<AuditTask, { kind: 'outline' }>, crew: Crew): Promise<TreeOutline> {
  const exclude = bothSpellings(task.exclude);
  const roots = checkRoots([{ path: task.worktree, git: 'auto' }], exclude);
  const view = await observeTree(roots, exclude, crew);
  return outlineOf(view, roots[0]?.path ?? '', task.limits);
}

function outlineOf(view: TreeView, root: BytePath, limits: OutlineLimits): TreeOutline {
  const tracked = foldersWithTracked(view, root);
  const ignored = new Set<BytePath>();
  const [folders, files, ignoredFolders]: [BytePath[], BytePath[], BytePath[]] = [[], [], []];
  const signature = new Signature(view.table.columns);
  let bytes = 0n;
  for (const folder of eachFolder(view.table.text)) {
    const isBelow = ignored.has(parentOf(folder.path)) && folder.path !== root;
    if (isBelow || (!tracked.has(folder.path) && view.ignore.isIgnored(folder.path, true))) {
      ignored.add(folder.path);
      if (!isBelow) ignoredFolders.push(folder.path);
      continue;
    }
    folders.push(folder.path);
    for (const [at, name] of folder.names.entries()) {
      signature.row = folder.start + at;
      const type = fileTypeOf(signature.cell(AT.mode));
      if (type !== 'file' && type !== 'symlink') continue;
      files.push(joinBytes(folder.path, name));
      bytes += signature.cell(AT.size);
    }
  }
  if (files.length > limits.maxFiles || bytes > limits.maxBytes)
    return { kind: 'too-large', files: files.length, bytes: Number(bytes) };
  const named = (paths: readonly BytePath[]): readonly PathName[] =>
    paths.filter((path) => path !== root).map((path) => toPathName(path.slice(joinBytes(root, '').length)));
  return { kind: 'fits', folders: named(folders), files: named(files), ignoredFolders: named(ignoredFolders) };
}

/** Folders with something tracked in them, at any depth. */
function foldersWithTracked(view: TreeView, root: BytePath): ReadonlySet<BytePath> {
  const found = new Set<BytePath>([root]);
  for (const { path } of eachFolder(view.table.text)) {
    if (view.tracked.treeAt(path)?.namesIn(path) === undefined) continue;
    for (let at = path; !found.has(at) && at.length > root.length; at = parentOf(at)) found.add(at);
  }
  return found;
}
