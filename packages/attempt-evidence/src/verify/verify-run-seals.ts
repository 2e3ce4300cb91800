import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDurableFileError, isLocked, listFolder, readTextFile } from '@bailiwick/durable-files';
import { digestWithin } from '../record/attempt-files.ts';
import { chainLockPathOf, HEAD_FILE, SEALS_FOLDER } from '../store/seal-files.ts';
import type { SealDifference } from './difference.ts';
import type { SealFile } from './read-chain.ts';
import { type ChainToVerify, type SealVerification, verifySealChain } from './verify-seal-chain.ts';

/** A run on disk, and what it is held against. */
export interface RunToVerify extends Omit<ChainToVerify, 'seals' | 'head' | 'readArtifact'> {
  /** The run's folder, or a copy of it. */
  readonly runDirectory: string;
}

// Somebody who seals is between head and seal for some milliseconds; after a second, what is seen is what there is.
const MAX_READINGS = 50;
const PAUSE_MS = 20;

/**
 * Verifies a run's seals and every file that they name, offline and without writing. Other processes may seal meanwhile: then it is read
 * again.
 *
 * @throws SealError KEY_DAMAGED for a public key that is none; DurableFileError NO_PERMISSION and the like where folders can't be listed
 */
export async function verifyRunSeals({ runDirectory, ...rules }: RunToVerify): Promise<SealVerification> {
  const { seals, head, strangers } = await readQuietly(runDirectory);
  const verified = await verifySealChain({
    ...rules,
    seals,
    head,
    readArtifact: (name) => digestWithin(runDirectory, name),
  });
  return { ...verified, differences: [...verified.differences, ...strangers] };
}

interface SealsOnDisk {
  readonly seals: readonly SealFile[];
  readonly head: SealFile | undefined;
  readonly strangers: readonly SealDifference[];
}

/**
 * The seals as they were at one moment: the head moves before every seal (C2), and who is between the two holds the lock. Looking at
 * the lock keeps nobody from taking it.
 */
async function readQuietly(runDirectory: string): Promise<SealsOnDisk> {
  for (let reading = 1; ; reading += 1) {
    const before = await readSealText(runDirectory, HEAD_FILE);
    const isSealing = isHeld(chainLockPathOf(runDirectory));
    const read = await readSeals(runDirectory);
    const head = await readSealText(runDirectory, HEAD_FILE);
    const isComplete = !isSealing || read.seals.some((seal) => contentOf(seal) === contentOf(head));
    if ((isComplete && contentOf(before) === contentOf(head)) || reading === MAX_READINGS) return { ...read, head };
    await delay(PAUSE_MS);
  }
}

// A copy of a run may lie where no lock can be looked at, and nobody seals there.
function isHeld(lockPath: string): boolean {
  try {
    return isLocked(lockPath);
  } catch (error) {
    if (isDurableFileError(error)) return false;
    throw error;
  }
}

async function readSeals(runDirectory: string): Promise<Omit<SealsOnDisk, 'head'>> {
  const names = (await listFolder(join(runDirectory, SEALS_FOLDER))).filter((name) => name !== basename(HEAD_FILE));
  const files = names.filter((name) => name.endsWith('.json')).map((name) => `${SEALS_FOLDER}/${name}`);
  const seals = await Promise.all(files.map((file) => readSealText(runDirectory, file)));
  return {
    seals: seals.filter((seal) => seal !== undefined),
    strangers: names.filter((name) => !name.endsWith('.json')).map(strangerOf),
  };
}

async function readSealText(runDirectory: string, file: string): Promise<SealFile | undefined> {
  try {
    const text = await readTextFile(join(runDirectory, file), { within: runDirectory });
    return text === undefined ? undefined : { file, text };
  } catch (error) {
    if (isDurableFileError(error)) return { file, unreadable: error.message };
    throw error;
  }
}

function contentOf(file: SealFile | undefined): string | undefined {
  return file !== undefined && 'text' in file ? file.text : undefined;
}

function strangerOf(name: string): SealDifference {
  return { code: 'unexpected-file', file: `${SEALS_FOLDER}/${name}`, message: 'is no seal of this run' };
}
