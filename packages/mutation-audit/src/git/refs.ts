import type { BytePath } from '../path-name.ts';
import { joinBytes, type WalkProblem } from '../tree/folder-reader.ts';
import { listFilesBelow, readControlFile } from './control-file.ts';

/** Ref name → oid or `ref: <name>`. */
export type Refs = Map<string, string>;

/**
 * All refs of a git folder in the files format, by meaning: a loose one hides a packed one, so packing changes nothing.
 * Lock files are not refs. `refs/stash` is left to `readStash`.
 */
export function readRefs(gitFolder: BytePath, onProblem: (problem: WalkProblem) => void): Refs {
  const refs = readPackedRefs(gitFolder, onProblem);
  const folder = joinBytes(gitFolder, 'refs');
  for (const relative of listFilesBelow(folder, onProblem)) {
    if (relative.endsWith('.lock')) continue;
    const path = joinBytes(folder, relative);
    const file = readControlFile(path);
    if (file.kind === 'problem') onProblem(file.problem);
    else if (file.kind === 'other') refs.set(`refs/${relative}`, file.value);
    else if (file.kind === 'bytes') refs.set(`refs/${relative}`, file.bytes.toString('latin1').trim());
  }
  refs.delete('refs/stash');
  return refs;
}

/**
 * The stash as the list of its commits, newest last: `refs/stash` holds only the newest, the others live in its log.
 * Null where there is none.
 */
export function readStash(gitFolder: BytePath, onProblem: (problem: WalkProblem) => void): string | null {
  const log = readControlFile(joinBytes(gitFolder, 'logs/refs/stash'));
  const ref = readControlFile(joinBytes(gitFolder, 'refs/stash'));
  for (const file of [log, ref]) if (file.kind === 'problem') onProblem(file.problem);
  const logged = log.kind === 'bytes' ? newOidsOf(log.bytes.toString('latin1')) : [];
  const tip =
    ref.kind === 'bytes' ? ref.bytes.toString('latin1').trim() : readPackedRefs(gitFolder, onProblem).get('refs/stash');
  if (tip !== undefined && logged.at(-1) !== tip) logged.push(tip);
  return logged.length === 0 ? null : logged.join(' ');
}

function newOidsOf(log: string): string[] {
  return log
    .split('\n')
    .map((line) => line.split(' ', 2)[1])
    .filter((oid) => oid !== undefined);
}

function readPackedRefs(gitFolder: BytePath, onProblem: (problem: WalkProblem) => void): Refs {
  const refs: Refs = new Map();
  const file = readControlFile(joinBytes(gitFolder, 'packed-refs'));
  if (file.kind === 'problem') onProblem(file.problem);
  if (file.kind !== 'bytes') return refs;
  for (const line of file.bytes.toString('latin1').split('\n')) {
    const cut = line.indexOf(' ');
    if (cut > 0 && !line.startsWith('#') && !line.startsWith('^')) refs.set(line.slice(cut + 1), line.slice(0, cut));
  }
  return refs;
}
