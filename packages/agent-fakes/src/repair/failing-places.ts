import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A source file of the project that a failing test's output names. */
export interface FailingPlace {
  /** Absolute. */
  readonly file: string;
  readonly line?: number;
}

const PLACE = /([\w./@+~-]*[\w-]\.[cm]?[jt]sx?)(?::(\d+))?/g;
const TEST_FILE = /(?:^|[/\\])(?:tests?|specs?|__tests__)[/\\]|[._-](?:test|spec)\.[cm]?[jt]sx?$/;

/** The places below `cwd` that the output names, in its order, each once; dependencies are no part of the project. */
export function findFailingPlaces(output: string, cwd: string): readonly FailingPlace[] {
  const places = new Map<string, FailingPlace>();
  for (const [, name, line] of withRelativePaths(output, cwd).matchAll(PLACE)) {
    if (name === undefined) continue;
    const file = path.resolve(cwd, name);
    if (!isOfProject(file, cwd) || !existsSync(file)) continue;
    places.set(`${file}:${line ?? ''}`, line === undefined ? { file } : { file, line: Number(line) });
  }
  return [...places.values()];
}

/** A folder above the project may hold blanks or worse, which the pattern of a path can't admit. */
function withRelativePaths(output: string, cwd: string): string {
  return output.replaceAll(`${pathToFileURL(cwd).href}/`, '').replaceAll(`${cwd}/`, '');
}

export function isTestFile(file: string, cwd: string): boolean {
  return TEST_FILE.test(path.relative(cwd, file));
}

export function isOfProject(file: string, cwd: string): boolean {
  const relative = path.relative(cwd, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative) && !relative.split(path.sep).includes('node_modules');
}
