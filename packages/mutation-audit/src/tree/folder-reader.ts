import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { type BytePath, forFileSystem } from '../path-name.ts';
import { spendTurn } from './turn.ts';

/** What could not be looked at, and why: `reason` is the system's code and what was tried. */
export interface WalkProblem {
  readonly path: BytePath;
  readonly reason: string;
}

/** The names in a folder, sorted by their bytes, or the reason why they can't be known. */
export function readNames(folder: BytePath): BytePath[] | WalkProblem {
  spendTurn();
  try {
    // latin1 keeps each byte of a name as one character; a utf8 listing would lose names that are not UTF-8.
    return readdirSync(forFileSystem(folder), 'latin1').sort();
  } catch (error) {
    return { path: folder, reason: `${systemCode(error)}: the folder cannot be listed` };
  }
}

const LSTAT = { bigint: true, throwIfNoEntry: false } as const;

/** The signature of a path without following a link; undefined where nothing is there. `plain`: its bytes are known to be ASCII. */
export function lookAt(path: BytePath, plain = false): BigIntStats | undefined | WalkProblem {
  spendTurn();
  try {
    return lstatSync(plain ? path : forFileSystem(path), LSTAT);
  } catch (error) {
    const code = systemCode(error);
    // A folder above has become something else: the entry is as gone as if its own name were.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { path, reason: `${code}: the entry cannot be looked at` };
  }
}

/** Tells a problem from a signature or a list. */
export function isProblem(value: unknown): value is WalkProblem {
  return typeof value === 'object' && value !== null && 'reason' in value;
}

/** The code of a system error, for a reason. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** `folder/name`; the file system's root has no second slash. */
export function joinBytes(folder: BytePath, name: BytePath): BytePath {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
