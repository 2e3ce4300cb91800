import { posix } from 'node:path';
import { WritePolicyError } from '../errors.ts';
import type { PathName } from '../model.ts';

/** What Linux and macOS take: a path with its final NUL, and one name in it. */
const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;

/** They would forge lines in a prompt, a log or a message. */
const CONTROL = /\p{Cc}/u;

/**
 * The text of a path that a policy is to hold.
 *
 * @param what names the field in messages.
 * @throws WritePolicyError PATH_NOT_UTF8, PATH_INVALID, PATH_TOO_LONG
 */
export function policyText(value: PathName, what: string): string {
  if (typeof value !== 'string' || !value.isWellFormed()) {
    throw new WritePolicyError('PATH_NOT_UTF8', `${what} is not text in UTF-8: ${show(value)}`, {
      hint: 'rename it; a path in raw bytes can be observed, never granted',
    });
  }
  const problem = textProblem(value);
  if (problem !== undefined) throw new WritePolicyError(problem.code, `${what} ${problem.message}`, { path: value });
  return value;
}

/** What keeps a text from being a path in a policy, or undefined. */
export function textProblem(
  text: string,
): { readonly code: 'PATH_INVALID' | 'PATH_TOO_LONG'; readonly message: string } | undefined {
  if (text === '') return { code: 'PATH_INVALID', message: 'is empty' };
  if (CONTROL.test(text)) {
    return { code: 'PATH_INVALID', message: `has a control character: ${JSON.stringify(text)}` };
  }
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) {
    return { code: 'PATH_TOO_LONG', message: `is longer than ${MAX_PATH_BYTES} bytes` };
  }
  if (text.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    return { code: 'PATH_TOO_LONG', message: `has a name longer than ${MAX_NAME_BYTES} bytes` };
  }
  return undefined;
}

/** Absolute and without `.`, `..`, doubled or trailing slashes; a relative path is taken from `base`. Touches no disk. */
export function absolutePath(text: string, base: string): string {
  const joined = posix.normalize(posix.isAbsolute(text) ? text : `${base}/${text}`);
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

/** Whether a text is already what {@link absolutePath} makes of it. */
export function isNormalized(path: string): boolean {
  return posix.isAbsolute(path) && absolutePath(path, '/') === path;
}

/** Whether `path` is `folder` or lies below it. Both absolute and normalized. */
export function isInside(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** The names from `folder` down to `path`, which lies in it; empty for the folder itself. */
export function namesBelow(path: string, folder: string): readonly string[] {
  return path.length === folder.length ? [] : path.slice(folder === '/' ? 1 : folder.length + 1).split('/');
}

/** Sorted by code unit, each once: the one order of a list of paths. */
export function sortedPaths(paths: Iterable<string>): readonly string[] {
  return [...new Set(paths)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
