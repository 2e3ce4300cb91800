import { join } from 'node:path';
import { isDurableFileError, listFolder, writeTextFile } from '@bailiwick/durable-files';
import { SealError } from '../errors.ts';
import type { Seal } from '../model.ts';
import { HEAD_FILE, SEALS_FOLDER } from './seal-files.ts';
import { readSealFile, writeSeal } from './stored-seals.ts';

/**
 * The last seal of a run's chain, or undefined before the first. The caller holds the chain's lock.
 *
 * @throws SealError CHAIN_HEAD_MISSING where there are seals without a head; DurableFileError as `readSeal`
 */
export async function readHead(runDirectory: string): Promise<Seal | undefined> {
  const path = join(runDirectory, HEAD_FILE);
  const head = await readSealFile(path);
  if (head !== undefined || (await listFolder(join(runDirectory, SEALS_FOLDER))).length === 0) return head;
  throw new SealError('CHAIN_HEAD_MISSING', `there are seals, but no head of their chain at ${path}`, {
    path,
    hint: 'verify the run; nothing can be chained to seals whose last one is not known',
  });
}

/** Makes a seal the head, durably; `writeSeal` has to follow, by this process or by the next one that appends. */
export async function writeHead(runDirectory: string, seal: Seal): Promise<void> {
  await writeTextFile(join(runDirectory, HEAD_FILE), seal.text);
}

/**
 * Puts the head's seal in its place, where it isn't yet: its writer died between the two. Whatever else lies there is evidence of
 * something, and stays.
 */
export async function finishHead(runDirectory: string, head: Seal): Promise<void> {
  try {
    await writeSeal(runDirectory, head);
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
  }
}
