import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { digestOfBytes, isDurableFileError, isLocked, listFolder, readTextFile } from '@bailiwick/durable-files';
import type { Seal } from '../model.ts';
import { digestWithin } from '../record/attempt-files.ts';
import { readPending } from '../store/pending-seals.ts';
import {
  chainLockPathOf,
  HEAD_FILE,
  PENDING_FILE,
  SEALS_FOLDER,
  sealFileOf,
  supersededFileOf,
} from '../store/seal-files.ts';
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
    const listed = await readSeals(runDirectory);
    const { pending, damage } = await readPendingSeals(runDirectory);
    const head = await readSealText(runDirectory, HEAD_FILE);
    const isComplete =
      !isSealing || (pending.length === 0 && listed.seals.some((seal) => contentOf(seal) === contentOf(head)));
    if ((isComplete && contentOf(before) === contentOf(head)) || reading === MAX_READINGS)
      return withPending({ ...listed, head, strangers: [...listed.strangers, ...damage] }, pending);
    await delay(PAUSE_MS);
  }
}

/** What is in the list counts as appended: it is durable, and the next one who appends puts it in its place (C5). */
function withPending(read: SealsOnDisk, pending: readonly Seal[]): SealsOnDisk {
  if (pending.length === 0) return read;
  const { seals, strangers } = read;
  const filed = pending.map(({ statement, text }) => ({ file: sealFileOf(statement.predicate.sealKey), text }));
  const texts = new Set(filed.map(({ text }) => text));
  const others = seals.filter((seal) => !texts.has(contentOf(seal) ?? ''));
  const names = new Set(others.map(({ file }) => file));
  const supersededNames = new Map(pending.flatMap(supersededNameOf));
  const named = others.flatMap((seal) => {
    const text = contentOf(seal);
    const file = text === undefined ? undefined : supersededNames.get(digestOfBytes(text));
    if (text === undefined || file === undefined || seal.file === file) return [seal];
    return names.has(file) ? [] : [{ file, text }];
  });
  return { seals: [...named, ...filed], head: filed.at(-1), strangers };
}

async function readPendingSeals(runDirectory: string) {
  try {
    return { pending: await readPending(runDirectory), damage: [] };
  } catch (error) {
    if (!isDurableFileError(error)) throw error;
    const damage: SealDifference = { code: 'seal-damaged', file: PENDING_FILE, message: error.message };
    return { pending: [], damage: [damage] };
  }
}

/** Where the seal will be kept that this one takes the place of. */
function supersededNameOf({ statement }: Seal): readonly (readonly [string, string])[] {
  const { chain, sealKey } = statement.predicate;
  return chain.supersedes === null ? [] : [[chain.supersedes, supersededFileOf(sealKey, chain.supersedes)]];
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

const NO_SEALS: ReadonlySet<string> = new Set([HEAD_FILE, PENDING_FILE].map((file) => basename(file)));

async function readSeals(runDirectory: string): Promise<Omit<SealsOnDisk, 'head'>> {
  const names = (await listFolder(join(runDirectory, SEALS_FOLDER))).filter((name) => !NO_SEALS.has(name));
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
