import { positionOf } from '../git/tracked-files.ts';
import type { BytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { eachFolder } from '../tree/folder-text.ts';
import { Signature } from '../tree/signature.ts';
import { AT, fileTypeOf } from '../tree/stat-rows.ts';
import type { TreeView } from './observe-tree.ts';

/** A file or link that is tracked or not ignored. */
export interface SourceFile {
  readonly path: BytePath;
  /** `file`, `program` (executable) or `symlink`. */
  readonly type: 'file' | 'program' | 'symlink';
}

/** The source of an observed tree, sorted component by component. */
export function sourceFiles(view: TreeView): readonly SourceFile[] {
  const files: SourceFile[] = [];
  const signature = new Signature(view.table.columns);
  for (const folder of eachFolder(view.table.text)) {
    const tree = view.tracked.treeAt(folder.path);
    const names = tree?.namesIn(folder.path);
    const isIgnored = view.ignore.isIgnored(folder.path, true);
    if (isIgnored && names === undefined) continue;
    for (const [at, name] of folder.names.entries()) {
      const path = joinBytes(folder.path, name);
      signature.row = folder.start + at;
      const mode = signature.cell(AT.mode);
      const type = fileTypeOf(mode);
      if (type !== 'file' && type !== 'symlink') continue;
      if (positionOf(names, name) === undefined && (isIgnored || view.ignore.isIgnored(path, false))) continue;
      files.push({ path, type: type === 'file' && (mode & 0o100n) !== 0n ? 'program' : type });
    }
  }
  return files;
}
