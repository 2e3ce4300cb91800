import type { BytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { readControlFile } from './control-file.ts';
import { itemKey } from './git-state.ts';
import { addFile, addFolder, addInfo, addUnknown, type Findings, type RepositoryFormat } from './read-common.ts';
import { readRefs } from './refs.ts';
import { readReftable } from './reftable.ts';

/** Reads what one work tree has of its own: HEAD, its configuration, operations in progress, and for a linked one its refs and links. */
export function readCheckoutItems(
  gitFolder: BytePath,
  o: { isLinked: boolean; linkText: string | null; format: RepositoryFormat },
  found: Findings,
): void {
  addHead(gitFolder, o.format, found);
  if (o.linkText !== null) found.items[itemKey('repository', '.git')] = o.linkText;
  addFile(found, gitFolder, 'config.worktree', { key: itemKey('config', 'config.worktree') });
  for (const name of OPERATION_FILES) addFile(found, gitFolder, name, { key: itemKey('operation', name) });
  for (const name of OPERATION_FOLDERS) {
    addFolder(found, gitFolder, name, (relative) => itemKey('operation', `${name}/${relative}`));
  }
  if (o.isLinked) addLinkedItems(gitFolder, found);
}

function addLinkedItems(gitFolder: BytePath, found: Findings): void {
  for (const name of ['gitdir', 'commondir', 'locked']) {
    addFile(found, gitFolder, name, { key: itemKey('worktree', name) });
  }
  for (const [name, value] of readRefs(gitFolder, (problem) => found.problems.push(problem))) {
    found.items[itemKey('ref', name)] = value;
  }
  addInfo(found, gitFolder);
  addUnknown(found, gitFolder);
}

function addHead(gitFolder: BytePath, format: RepositoryFormat, found: Findings): void {
  if (format.refFormat === 'reftable') {
    const head = readReftable(joinBytes(gitFolder, 'reftable'), (problem) => found.problems.push(problem)).get('HEAD');
    if (head !== undefined) found.items[itemKey('head', 'HEAD')] = head;
    return;
  }
  const file = readControlFile(joinBytes(gitFolder, 'HEAD'));
  if (file.kind === 'problem') found.problems.push(file.problem);
  if (file.kind === 'other') found.items[itemKey('head', 'HEAD')] = file.value;
  if (file.kind === 'bytes') found.items[itemKey('head', 'HEAD')] = file.bytes.toString('latin1').trim();
}

const OPERATION_FILES = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'BISECT_LOG'];
const OPERATION_FOLDERS = ['rebase-merge', 'rebase-apply', 'sequencer'];
