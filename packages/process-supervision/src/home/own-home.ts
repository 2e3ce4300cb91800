import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OwnHomeOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { confinedEnvironment } from '../boundary/agent-environment.ts';

/**
 * The environment of an agent whose HOME is its own, without a boundary: HOME and temporary folder beside each other,
 * since some programs distrust a HOME below the temporary folder. What lay there is of an earlier start of the same
 * attempt.
 */
export async function makeOwnHome(
  { folder, userHome, files }: OwnHomeOrder,
  env: SupervisedJob['env'],
): Promise<SupervisedJob['env']> {
  await rm(folder, { recursive: true, force: true });
  const [home, temporaryFolder] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [home, temporaryFolder]) await mkdir(path, { recursive: true, mode: 0o700 });
  await writeHomeFiles(home, files);
  return confinedEnvironment(env, { userHome, logins: [] }, { binds: [], home, temporaryFolder });
}

/** Writes what the agent is to find in its HOME, for nobody else to read. */
export async function writeHomeFiles(home: string, files: OwnHomeOrder['files']): Promise<void> {
  for (const { below, text } of files) {
    const path = join(home, below);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
  }
}

/** Takes it away again; a file that something still holds open is no reason to fail. */
export async function removeOwnHome({ folder }: OwnHomeOrder): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
