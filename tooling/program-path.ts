import path from 'node:path';
import { inject } from 'vitest';
import type {} from './bundle-programs.ts';

/** The bundle of a program that the project's configuration names, by the name of its source without the ending. */
export function programPath(name: string): string {
  return path.join(inject('programFolder'), `${name}.mjs`);
}
