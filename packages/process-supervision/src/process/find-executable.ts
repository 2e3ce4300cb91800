import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Where an executable lies: a program's own absolute path, or the first place on a PATH. Undefined where there is none.
 * Folders of a PATH that aren't absolute are passed over: where they lead depends on where a worker stands.
 */
export async function findExecutable(program: string, path: string): Promise<string | undefined> {
  if (program === '') return undefined;
  const folders = path.split(delimiter).filter(isAbsolute);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return places.find(isExecutable);
}

/** In this thread: a run's start looks at dozens of places, and handing each to another thread takes ten times as long. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
