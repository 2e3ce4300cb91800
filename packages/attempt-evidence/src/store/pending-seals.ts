import { join } from 'node:path';
import {
  DurableFileError,
  isDurableFileError,
  readDocument,
  removeFile,
  writeDocument,
} from '@bailiwick/durable-files';
import type { Seal } from '../model.ts';
import { decodeSeal } from '../wire/index.ts';
import { pendingSealsCodec } from '../wire/pending-seals.ts';
import { writeHead } from './chain-head.ts';
import { HEAD_FILE, PENDING_FILE } from './seal-files.ts';
import { readSealFile, writeSeal } from './stored-seals.ts';

/**
 * Appends seals that continue the chain in their order, all durable when it returns (C5): one flush makes them durable together, and
 * those of their own files are waited for at the same time. The caller holds the chain's lock and has looked for pending ones.
 */
export async function appendTogether(runDirectory: string, seals: readonly Seal[]): Promise<void> {
  const texts = seals.map(({ text }) => text);
  await writeDocument(pathOf(runDirectory), pendingSealsCodec, { schemaVersion: '1.0', seals: texts });
  await putInPlace(runDirectory, seals);
}

/**
 * Finishes what a writer left that died while it appended several seals. The caller holds the chain's lock.
 *
 * @throws DurableFileError FILE_EXISTS where they don't continue this chain; as `readDocument`
 */
export async function finishPending(runDirectory: string): Promise<void> {
  const seals = await readPending(runDirectory);
  if (seals.length === 0) return;
  await refuseStrangers(runDirectory, seals);
  await putInPlace(runDirectory, seals);
}

/** The seals that are being appended, or were when their writer died; none as a rule. Throws DurableFileError as `readDocument`. */
export async function readPending(runDirectory: string): Promise<readonly Seal[]> {
  const pending = await readDocument(pathOf(runDirectory), pendingSealsCodec, { keepDamaged: false });
  return (pending?.seals ?? []).map((text) => decodeSeal(text, PENDING_FILE));
}

async function putInPlace(runDirectory: string, seals: readonly Seal[]): Promise<void> {
  const last = seals.at(-1);
  if (last === undefined) return;
  await Promise.all(seals.map((seal) => putOne(runDirectory, seal)));
  await writeHead(runDirectory, last);
  await removeFile(pathOf(runDirectory));
}

/** Whatever else lies in a seal's place is evidence of something, and stays. */
async function putOne(runDirectory: string, seal: Seal): Promise<void> {
  try {
    await writeSeal(runDirectory, seal);
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
  }
}

/** A list that was put there from elsewhere, or a head that was: the head is either the one before them or one of them. */
async function refuseStrangers(runDirectory: string, seals: readonly Seal[]): Promise<void> {
  const previous = seals[0]?.statement.predicate.chain.previous?.digest;
  const head = await readSealFile(join(runDirectory, HEAD_FILE));
  if (head?.digest === previous || seals.some(({ digest }) => digest === head?.digest)) return;
  throw new DurableFileError('FILE_EXISTS', 'seals that were to be appended do not continue the chain', {
    path: pathOf(runDirectory),
    hint: 'Verify the run; what it names shows which of the two was put there',
  });
}

function pathOf(runDirectory: string): string {
  return join(runDirectory, PENDING_FILE);
}
