import type { Digest } from '@bailiwick/durable-files';
import type { SealReference } from '../model.ts';
import { HEAD_FILE, sealFileOf } from '../store/seal-files.ts';
import type { SealDifference } from './difference.ts';
import { decodeFile, type FiledSeal, type ReadChain, type SealFile, sequenceOf } from './read-chain.ts';

/** What a chain is held against. */
export interface LinkRules {
  /** The file of the chain's head; undefined where there is none. */
  readonly head: SealFile | undefined;
  readonly anchors: readonly Digest[];
}

/** Whether each seal is the one that its successor names, the last one the head, and all of one run (C1); pure. */
export function checkLinks(chain: ReadChain, { head, anchors }: LinkRules): readonly SealDifference[] {
  const read = head === undefined ? undefined : decodeFile(head);
  const last = read !== undefined && 'seal' in read ? read : undefined;
  return [
    ...(last === undefined ? unreadableHead(chain, read) : headDifferences(chain, last)),
    ...chain.seals.flatMap((one) => previousDifferences(chain, one)),
    ...rivalDifferences(chain, last),
    ...runDifferences(chain),
    ...anchorDifferences(chain, anchors),
  ];
}

function unreadableHead(chain: ReadChain, read: ReturnType<typeof decodeFile> | undefined): readonly SealDifference[] {
  if (read !== undefined && 'difference' in read) return [headDiffers(read.difference.message)];
  const isEmpty = chain.seals.length === 0 && chain.damagedFiles.size === 0;
  return isEmpty ? [] : [headDiffers('the head of the chain is gone')];
}

function headDifferences(chain: ReadChain, head: FiledSeal): readonly SealDifference[] {
  const sequence = sequenceOf(head);
  const named = { sealKey: head.seal.statement.predicate.sealKey, digest: head.seal.digest };
  const differences = differencesAt(chain, sequence, { named, by: HEAD_FILE });
  const beyond = chain.seals.filter((filed) => sequenceOf(filed) > sequence);
  if (differences.length === 0 && beyond.length === 0) return [];
  return [
    { ...headDiffers('is not a copy of the last seal of the chain'), found: head.seal.digest },
    ...differences,
    ...beyond.map(({ file }) => broken(file, `stands beyond seal ${sequence}, which the head says is the last`)),
  ];
}

function previousDifferences(chain: ReadChain, filed: FiledSeal): readonly SealDifference[] {
  const { previous, sequence } = filed.seal.statement.predicate.chain;
  return previous === null ? [] : differencesAt(chain, sequence - 1, { named: previous, by: filed.file });
}

/** Is the seal at a place the one that is named there? `by` is the file that names it. */
function differencesAt(
  chain: ReadChain,
  sequence: number,
  { named, by }: { readonly named: SealReference; readonly by: string },
): readonly SealDifference[] {
  const there = chain.bySequence.get(sequence) ?? [];
  if (there.some(({ seal }) => isNamed(seal, named))) return [];
  const facts = { sealKey: named.sealKey, expected: named.digest };
  if (there.length > 0)
    return there.map(({ file, seal }) => ({
      ...broken(file, `is not seal ${sequence} of the chain as ${by} names it`),
      ...facts,
      found: seal.digest,
    }));
  const file = sealFileOf(named.sealKey);
  if (chain.damagedFiles.has(file)) return [];
  return [{ code: 'seal-missing', file, message: `seal ${sequence} of the chain is gone; ${by} names it`, ...facts }];
}

function isNamed({ digest, statement }: FiledSeal['seal'], named: SealReference): boolean {
  return digest === named.digest && statement.predicate.sealKey === named.sealKey;
}

/** Of several seals at one place the one that its neighbour names is right; the others are named here. */
function rivalDifferences(chain: ReadChain, head: FiledSeal | undefined): readonly SealDifference[] {
  const named = new Set(chain.seals.map(({ seal }) => seal.statement.predicate.chain.previous?.digest));
  if (head !== undefined) named.add(head.seal.digest);
  return chain.seals.flatMap((filed) => {
    const rivals = (chain.bySequence.get(sequenceOf(filed)) ?? []).filter((other) => other !== filed);
    if (rivals.length === 0 || named.has(filed.seal.digest)) return [];
    const others = rivals.map(({ file }) => file).join(', ');
    return [broken(filed.file, `claims place ${sequenceOf(filed)} of the chain beside ${others}`)];
  });
}

function runDifferences(chain: ReadChain): readonly SealDifference[] {
  const first = chain.seals[0]?.seal.statement.predicate.attempt.identity.runId;
  return chain.seals.flatMap(({ file, seal }) => {
    const { runId } = seal.statement.predicate.attempt.identity;
    return runId === first ? [] : [broken(file, `is of run ${runId}, the first seal of run ${first}`)];
  });
}

function anchorDifferences(chain: ReadChain, anchors: readonly Digest[]): readonly SealDifference[] {
  const digests = new Set<string>(chain.seals.map(({ seal }) => seal.digest));
  return anchors
    .filter((anchor) => !digests.has(anchor))
    .map((anchor) => ({
      code: 'anchor-missing',
      file: HEAD_FILE,
      message: `no seal of this chain is ${anchor}, which was noted elsewhere`,
      expected: anchor,
    }));
}

function headDiffers(message: string): SealDifference {
  return { code: 'head-differs', file: HEAD_FILE, message };
}

function broken(file: string, message: string): SealDifference {
  return { code: 'chain-broken', file, message };
}
