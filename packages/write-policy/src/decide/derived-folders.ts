import { foldName } from '../paths/fold.ts';
import { namesBelow } from '../paths/path-name.ts';
import { isNeverName } from '../places.ts';

/**
 * Folders that tools fill with other people's files or with what they build. Where git ignores them, nobody's hooks,
 * pipeline, keys or locks lie there for use, and one install touches hundreds that look so, whole repositories among
 * them. What a worker changes there is reported like any ignored path; it is code that runs in any case.
 */
export const DERIVED_FOLDERS = [
  'node_modules',
  'bower_components',
  '.pnpm-store',
  'vendor',
  'Pods',
  'DerivedData',
  'site-packages',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '__pycache__',
  'target',
  'dist',
  'build',
  '.build',
  'out',
  'obj',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.turbo',
  '.gradle',
  '.dart_tool',
  '.stack-work',
  '.terraform',
  '.cache',
  'coverage',
] as const;

const DERIVED: ReadonlySet<string> = new Set(DERIVED_FOLDERS.map(foldName));

/** Whether one of the names is a derived folder's. */
export function isDerived(names: readonly string[]): boolean {
  return names.some((name) => DERIVED.has(foldName(name)));
}

/** Whether a path lies in version control of its own below a derived folder, and in no other never-writable place. */
export function isDerivedRepository(path: string, root: string): boolean {
  const names = namesBelow(path, root);
  const first = names.findIndex(isNeverName);
  return isDerived(names.slice(0, Math.max(0, first))) && !names.some((name) => isNeverName(name) && !isGitName(name));
}

function isGitName(name: string): boolean {
  return foldName(name) === foldName('.git');
}
