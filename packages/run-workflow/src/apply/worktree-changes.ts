import { isUtf8 } from 'node:buffer';
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import type { PathName } from '@bailiwick/mutation-audit';
import { askGitBytes } from '../project/git.ts';

/**
 * What differs in a worktree from a commit, committed since or not, and what is new and not ignored, deletions included: paths relative to the
 * worktree, as bytes, since a name need not be UTF-8. GIT_FAILED.
 */
export async function changedSince(worktree: string, commit: string): Promise<readonly Buffer[]> {
  const changed = await askGitBytes(worktree, ['diff', '--name-only', '-z', '--no-renames', commit]);
  const untracked = await askGitBytes(worktree, ['ls-files', '--others', '--exclude-standard', '-z']);
  const names = [...namesIn(changed), ...namesIn(untracked)];
  return [...new Map(names.map((name) => [name.toString('latin1'), name])).values()].sort((a, b) => a.compare(b));
}

/** A path below a folder, for the file system. */
export function pathBelow(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** The bytes of a path as JSON has it. */
export function bytesOfPath(path: PathName): Buffer {
  return typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.pathBytes, 'base64');
}

/** A path as JSON has it. */
export function pathNameOf(name: Buffer): PathName {
  return isUtf8(name) ? name.toString('utf8') : { pathBytes: name.toString('base64') };
}

/**
 * Copies a file, a link or a folder with all that is in it, links as links, in place of what an earlier copy left; false where nothing is
 * there. Sockets, pipes and devices hold nothing that could be kept.
 */
export async function copyAny(from: Buffer, to: Buffer): Promise<boolean> {
  const stats = await lstat(from).catch(() => undefined);
  if (stats === undefined) return false;
  await mkdir(parentOf(to), { recursive: true });
  await rm(to, { recursive: true, force: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), to);
  else if (stats.isFile()) await copyFile(from, to);
  else if (stats.isDirectory()) await copyFolder(from, to);
  return true;
}

async function copyFolder(from: Buffer, to: Buffer): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from, { encoding: 'buffer' })) await copyAny(joined(from, name), joined(to, name));
}

/** Nested repositories are listed as `name/`. */
function namesIn(output: Buffer): readonly Buffer[] {
  const names: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const name = output.subarray(start, end === -1 ? output.length : end);
    const isFolder = name.at(-1) === 0x2f;
    if (name.length > 0) names.push(isFolder ? name.subarray(0, -1) : name);
    start = end === -1 ? output.length : end + 1;
  }
  return names;
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

/** The folder above an absolute path. */
export function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf(0x2f));
}
