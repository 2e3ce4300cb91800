/**
 * The chain of a run's seals. Invariants:
 *
 * C1 A seal names the digest of the one before it; the head is a copy of the last. Both change only under the chain's lock.
 * C2 The head is durable before its seal. What a writer left when it died between the two is in the head, and the next one finishes it:
 *    no seal is ever chained to one that can't be had, and none is forgotten.
 * C3 What was appended is never changed. A seal whose settlement was cut off before its record was written, and then decided anew, is
 *    superseded by the next one of its attempt and kept.
 * C4 Appending costs the same however many seals there are: only the head and the attempt's own seal are read.
 */
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ensureFolder, type LockOptions, withLock } from '@bailiwick/durable-files';
import { parseInvocationRef } from '@bailiwick/execution-identity';
import { SealError } from '../errors.ts';
import type { Seal, SealReference, StatementInput } from '../model.ts';
import type { Sealer } from '../seal/create-sealer.ts';
import { statementOf } from '../seal/make-seal.ts';
import { finishHead, readHead, writeHead } from './chain-head.ts';
import { chainLockPathOf, SEALS_FOLDER, sealFileOf } from './seal-files.ts';
import { readSeal, writeSeal } from './stored-seals.ts';

/** How a seal is appended. */
export interface AppendSealOptions {
  readonly sealer: Sealer;
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** How long another writer of the run is waited for; default as `acquireLock`. */
  readonly lock?: LockOptions;
}

/** What was sealed, and where it lies. */
export interface SealReceipt extends SealReference {
  /** Relative to the run's folder. */
  readonly file: string;
  readonly sequence: number;
  readonly isSigned: boolean;
  /** False where the attempt had been sealed with the same content before. */
  readonly isNew: boolean;
}

/**
 * Seals an attempt into its run's chain, durable when it returns. Safe to repeat, in any process: the same content is sealed once; other
 * content supersedes (C3).
 *
 * @throws SealError CHAIN_HEAD_MISSING, RUN_DIFFERS; DurableFileError LOCK_TIMEOUT, DOCUMENT_INVALID (the input), DOCUMENT_DAMAGED (what
 * is there), DISK_FULL and the like
 */
export async function appendSeal(
  runDirectory: string,
  input: StatementInput,
  { sealer, now = () => new Date(), lock = {} }: AppendSealOptions,
): Promise<SealReceipt> {
  const lockPath = chainLockPathOf(runDirectory);
  await ensureFolder(dirname(lockPath));
  await ensureFolder(join(runDirectory, SEALS_FOLDER));
  return withLock(lockPath, lock, async () => {
    const head = await readHead(runDirectory);
    refuseOtherRun(head, input, runDirectory);
    if (head !== undefined) await finishHead(runDirectory, head);
    const standing = await readSeal(runDirectory, ownerOf(input));
    if (standing !== undefined && sealer.hasMade(standing) && saysTheSame(standing, input))
      return receiptOf(standing, false);
    const seal = sealer.sealAttempt(input, {
      sequence: (head?.statement.predicate.chain.sequence ?? 0) + 1,
      previous: head === undefined ? null : referenceOf(head),
      supersedes: standing?.digest ?? null,
      sealedAt: now(),
    });
    await writeHead(runDirectory, seal);
    await writeSeal(runDirectory, seal);
    return receiptOf(seal, true);
  });
}

function ownerOf({ attempt: { identity } }: StatementInput) {
  return { invocationRef: parseInvocationRef(identity.invocationRef), attempt: identity.attempt };
}

function refuseOtherRun(head: Seal | undefined, input: StatementInput, runDirectory: string): void {
  const theirs = head?.statement.predicate.attempt.identity.runId;
  const { runId } = input.attempt.identity;
  if (theirs === undefined || theirs === runId) return;
  throw new SealError('RUN_DIFFERS', `${runDirectory} holds the seals of run ${theirs}, not of ${runId}`, {
    path: runDirectory,
    hint: 'name the folder of the run that the attempt belongs to',
  });
}

/** Everything but when it was sealed and where it stands in the chain. */
function saysTheSame({ statement }: Seal, input: StatementInput): boolean {
  const { chain, sealedAt, signing } = statement.predicate;
  return isDeepStrictEqual(statement, statementOf(input, { ...chain, sealedAt: new Date(sealedAt) }, signing));
}

function referenceOf({ statement, digest }: Seal): SealReference {
  return { sealKey: statement.predicate.sealKey, digest };
}

function receiptOf(seal: Seal, isNew: boolean): SealReceipt {
  const { sealKey, chain } = seal.statement.predicate;
  const isSigned = seal.envelope.signatures.length > 0;
  return { sealKey, digest: seal.digest, file: sealFileOf(sealKey), sequence: chain.sequence, isSigned, isNew };
}
