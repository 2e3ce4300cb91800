import { isDurableFileError } from '@bailiwick/durable-files';
import type { Seal } from '../model.ts';
import { sealFileOf, supersededFileOf } from '../store/seal-files.ts';
import { decodeSeal } from '../wire/index.ts';
import type { SealDifference } from './difference.ts';

/** A file among the seals: its text, or why it couldn't be read as one. */
export type SealFile =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly unreadable: string };

/** A seal and the file it lies in. */
export interface FiledSeal {
  readonly file: string;
  readonly seal: Seal;
}

/** What could be read of a chain, and what couldn't. */
export interface ReadChain {
  /** In the order of their sequence; those that claim the same one beside each other. */
  readonly seals: readonly FiledSeal[];
  readonly bySequence: ReadonlyMap<number, readonly FiledSeal[]>;
  /** Those that other seals of the same attempt supersede. */
  readonly superseded: ReadonlySet<Seal>;
  readonly damagedFiles: ReadonlySet<string>;
  readonly differences: readonly SealDifference[];
}

/** Decodes the seals of a run and looks at their names; pure. */
export function readChain(files: readonly SealFile[]): ReadChain {
  const read = files.map(decodeFile);
  const seals = read.flatMap((one) => ('seal' in one ? [one] : []));
  const damaged = read.flatMap((one) => ('difference' in one ? [one.difference] : []));
  const superseded = supersededOf(seals.map(({ seal }) => seal));
  const misplaced = seals.flatMap((one) => nameDifferences(one, superseded));
  return {
    seals: seals.toSorted((a, b) => sequenceOf(a) - sequenceOf(b)),
    bySequence: Map.groupBy(seals, sequenceOf),
    superseded,
    damagedFiles: new Set(damaged.map(({ file }) => file)),
    differences: [...damaged, ...misplaced],
  };
}

/** The place of a seal in its chain, from 1. */
export function sequenceOf({ seal }: FiledSeal): number {
  return seal.statement.predicate.chain.sequence;
}

/** Decodes one file, without throwing. */
export function decodeFile(file: SealFile): FiledSeal | { readonly difference: SealDifference } {
  if ('unreadable' in file) return { difference: damagedFile(file.file, file.unreadable) };
  try {
    return { file: file.file, seal: decodeSeal(file.text, file.file) };
  } catch (error) {
    if (!isDurableFileError(error)) throw error;
    return { difference: damagedFile(file.file, error.message) };
  }
}

function damagedFile(file: string, message: string): SealDifference {
  return { code: 'seal-damaged', file, message };
}

// Of the same attempt: else a seal could take another attempt's out of what is compared with the disk.
function supersededOf(seals: readonly Seal[]): ReadonlySet<Seal> {
  const keyBySuperseded = new Map(
    seals.map(({ statement: { predicate } }) => [predicate.chain.supersedes, predicate.sealKey]),
  );
  return new Set(seals.filter(({ digest, statement }) => keyBySuperseded.get(digest) === statement.predicate.sealKey));
}

function nameDifferences({ file, seal }: FiledSeal, superseded: ReadonlySet<Seal>): readonly SealDifference[] {
  const { sealKey } = seal.statement.predicate;
  const expected = superseded.has(seal) ? supersededFileOf(sealKey, seal.digest) : sealFileOf(sealKey);
  if (file === expected) return [];
  return [
    {
      code: 'seal-misplaced',
      file,
      message: `is the seal that belongs at ${expected}`,
      sealKey,
      expected,
      found: file,
    },
  ];
}
