import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Digest,
  DurableFileError,
  digestOfFile,
  isDurableFileError,
  readTextFile,
  writeTextFile,
} from '@bailiwick/durable-files';
import { type InvocationRef, sealKeyOf } from '@bailiwick/execution-identity';
import type { Seal } from '../model.ts';
import { decodeSeal } from '../wire/index.ts';
import { sealFileOf, supersededFileOf } from './seal-files.ts';

/** Which attempt's seal. */
export interface SealOwner {
  readonly invocationRef: InvocationRef;
  readonly attempt: number;
}

/**
 * The seal of an attempt, or undefined where it has none. Its signature and chain are not looked at: `verifyRunSeals` does that.
 *
 * @throws DurableFileError DOCUMENT_DAMAGED (the file stays: nothing replaces it), DOCUMENT_NEWER_VERSION, and as `readTextFile`
 */
export async function readSeal(runDirectory: string, { invocationRef, attempt }: SealOwner): Promise<Seal | undefined> {
  return readSealFile(join(runDirectory, sealFileOf(sealKeyOf(invocationRef, attempt))));
}

/**
 * Stores a seal under its attempt's name, durable when it returns; nothing to do where it is there already. The one that it says it
 * supersedes is kept beside it first; anything else that is there stays.
 *
 * @throws DurableFileError FILE_EXISTS where something else is there; else as `writeTextFile`
 */
export async function writeSeal(runDirectory: string, seal: Seal): Promise<void> {
  const { sealKey, chain } = seal.statement.predicate;
  const path = join(runDirectory, sealFileOf(sealKey));
  const standing = await digestOfStanding(path);
  if (standing === seal.digest) return;
  if (standing !== undefined && standing !== chain.supersedes) throw takenBy(path);
  if (standing !== undefined) await keepSuperseded(path, join(runDirectory, supersededFileOf(sealKey, standing)));
  await writeTextFile(path, seal.text, { exclusive: standing === undefined });
}

/** The seal in a file, or undefined where there is none. Throws as `readSeal`. */
export async function readSealFile(path: string): Promise<Seal | undefined> {
  const text = await readTextFile(path);
  if (text === undefined) return undefined;
  try {
    return decodeSeal(text, path);
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'DOCUMENT_INVALID') throw error;
    throw new DurableFileError('DOCUMENT_DAMAGED', 'the evidence seal is damaged', {
      path,
      hint: 'Inspect it; verifying the run names every difference',
      ...(error.issues === undefined ? {} : { issues: error.issues }),
      cause: error,
    });
  }
}

/** The digest of the regular file that is there; undefined where nothing is. */
async function digestOfStanding(path: string): Promise<Digest | undefined> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw takenBy(path);
  return digestOfFile(path);
}

async function keepSuperseded(path: string, keptPath: string): Promise<void> {
  const text = await readTextFile(path);
  if (text === undefined) return;
  try {
    await writeTextFile(keptPath, text, { exclusive: true });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
  }
}

function takenBy(path: string): DurableFileError {
  return new DurableFileError('FILE_EXISTS', 'something else lies where the seal should go', {
    path,
    hint: 'It was not changed; verifying the run says what it is',
  });
}
