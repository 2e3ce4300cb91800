/**
 * The chain of a run's seals. Invariants:
 *
 * C1 A seal names the digest of the one before it; the head is a copy of the last. Both change only under the chain's lock.
 * C2 A single seal's head is durable before it. What a writer left when it died between the two is in the head, and the next one
 *    finishes it: no seal is ever chained to one that can't be had, and none is forgotten.
 * C3 What was appended is never changed. A seal whose settlement was cut off before its record was written, and then decided anew, is
 *    superseded by the next one of its attempt and kept.
 * C4 Appending costs the same however many seals there are: only the head and the attempts' own seals are read.
 * C5 Several seals are durable together, in one list, before the first of them has its place and before the head moves; the list goes
 *    when the head has moved. What a writer left when it died in between is in the list, and the next one finishes it.
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
import { appendTogether, finishPending } from './pending-seals.ts';
import { chainLockPathOf, SEALS_FOLDER, sealFileOf } from './seal-files.ts';
import { readSeal, writeSeal } from './stored-seals.ts';

/** How seals are appended. */
export interface AppendOptions {
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** How long another writer of the run is waited for; default as `acquireLock`. */
  readonly lock?: LockOptions;
}

/** How a seal is appended. */
export interface AppendSealOptions extends AppendOptions {
  readonly sealer: Sealer;
}

/** What is to be sealed, and by whom. */
export interface SealRequest {
  readonly input: StatementInput;
  readonly sealer: Sealer;
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

/** A receipt, or why this one could not be sealed. */
export type SealAppend =
  | { readonly kind: 'sealed'; readonly receipt: SealReceipt }
  | { readonly kind: 'refused'; readonly error: unknown };

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
  { sealer, ...options }: AppendSealOptions,
): Promise<SealReceipt> {
  const [append] = await appendSeals(runDirectory, [{ input, sealer }], options);
  if (append?.kind === 'sealed') return append.receipt;
  throw append?.error;
}

/**
 * Seals attempts, each once in the list, into their run's chain in this order, all durable when it returns, for the price of a few (C5).
 * The answers come in the order of the requests; one that can't be sealed holds up no other. Throws as `appendSeal` for what concerns
 * all of them.
 */
export async function appendSeals(
  runDirectory: string,
  requests: readonly SealRequest[],
  { now = () => new Date(), lock = {} }: AppendOptions = {},
): Promise<readonly SealAppend[]> {
  const lockPath = chainLockPathOf(runDirectory);
  await ensureFolder(dirname(lockPath));
  await ensureFolder(join(runDirectory, SEALS_FOLDER));
  return withLock(lockPath, lock, async () => {
    await finishPending(runDirectory);
    const head = await readHead(runDirectory);
    if (head !== undefined) await finishHead(runDirectory, head);
    const made = await chainOn(head, { runDirectory, requests, now });
    await store(
      runDirectory,
      made.flatMap((one) => ('seal' in one && one.isNew ? [one.seal] : [])),
    );
    return made.map((one) =>
      'seal' in one
        ? { kind: 'sealed', receipt: receiptOf(one.seal, one.isNew) }
        : { kind: 'refused', error: one.error },
    );
  });
}

type MadeSeal = { readonly seal: Seal; readonly isNew: boolean } | { readonly error: unknown };

/** The seals in their order, each naming the one before it; nothing is written. */
async function chainOn(
  head: Seal | undefined,
  o: { readonly runDirectory: string; readonly requests: readonly SealRequest[]; readonly now: () => Date },
): Promise<readonly MadeSeal[]> {
  const made: MadeSeal[] = [];
  let last = head;
  for (const request of o.requests) {
    try {
      const one = await sealAfter(last, request, o);
      if (one.isNew) last = one.seal;
      made.push(one);
    } catch (error) {
      made.push({ error });
    }
  }
  return made;
}

async function sealAfter(
  last: Seal | undefined,
  { input, sealer }: SealRequest,
  { runDirectory, now }: { readonly runDirectory: string; readonly now: () => Date },
): Promise<{ readonly seal: Seal; readonly isNew: boolean }> {
  refuseOtherRun(last, input, runDirectory);
  const standing = await readSeal(runDirectory, ownerOf(input));
  if (standing !== undefined && sealer.hasMade(standing) && saysTheSame(standing, input))
    return { seal: standing, isNew: false };
  const seal = sealer.sealAttempt(input, {
    sequence: (last?.statement.predicate.chain.sequence ?? 0) + 1,
    previous: last === undefined ? null : referenceOf(last),
    supersedes: standing?.digest ?? null,
    sealedAt: now(),
  });
  return { seal, isNew: true };
}

/** A single one is in the head already when it is written (C2). */
async function store(runDirectory: string, seals: readonly Seal[]): Promise<void> {
  const [first, ...others] = seals;
  if (first === undefined) return;
  if (others.length > 0) return appendTogether(runDirectory, seals);
  await writeHead(runDirectory, first);
  await writeSeal(runDirectory, first);
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
