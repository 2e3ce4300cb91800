import { lstatSync } from 'node:fs';
import { mapSystemError } from '@bailiwick/durable-files';

/** Whether anything is at a path, a dangling symlink included. Throws DurableFileError where that can't be found out. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw mapSystemError(error, path, 'looking for the file');
  }
}
