import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Where an executable lies: a program's own absolute path, or the first place on a PATH. Undefined where there is none.
 * Folders of a PATH that aren't absolute are passed over: where they lead depends on where a worker stands.
 */
export async function findExecutable(program: string, path: string): Promise<string | undefined> {
  if (program === '') return undefined;
  const folders = path.split(delimiter).filter(isAbsolute);
  const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  for (const place of places) if (await isExecutable(place)) return place;
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
