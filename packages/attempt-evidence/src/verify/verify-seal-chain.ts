import type { Digest } from '@bailiwick/durable-files';
import { keyIdOf, parsePublicKey } from '../keys/public-keys.ts';
import type { ExpectedSeal } from '../record/expected-seal.ts';
import { loadDsse } from '../seal/dsse.ts';
import { checkFiles, type ReadArtifact } from './check-files.ts';
import { checkLinks } from './check-links.ts';
import { checkRecords } from './check-records.ts';
import { checkSignature } from './check-signature.ts';
import type { SealDifference } from './difference.ts';
import { type ReadChain, readChain, type SealFile, sequenceOf } from './read-chain.ts';

/** A chain of seals, and what it is held against. */
export interface ChainToVerify {
  /** Every seal of the run, superseded ones too; `file` relative to the run's folder. */
  readonly seals: readonly SealFile[];
  /** The head of the chain; undefined where there is none. */
  readonly head: SealFile | undefined;
  readonly readArtifact: ReadArtifact;
  /** PEM (SPKI), each ed25519: the keys that the verifier trusts, from a place of its own. */
  readonly publicKeys: readonly string[];
  /** What the run's records lead to expect (`expectedSealOf`). Default: nothing, so that an attempt without a seal goes unnoticed. */
  readonly expected?: readonly ExpectedSeal[];
  /** True takes seals that say that they are unsigned; they still have to agree with everything else. Default false. */
  readonly acceptUnsigned?: boolean;
  /** Digests of seals that were noted elsewhere, such as an earlier `head.digest`: each must be in the chain. Default none. */
  readonly anchors?: readonly Digest[];
}

/** What verifying found. Nothing differs where `differences` is empty; without seals, that says nothing. */
export interface SealVerification {
  readonly differences: readonly SealDifference[];
  /** Seals that could be read, superseded ones included. */
  readonly seals: number;
  readonly signed: number;
  readonly unsigned: number;
  readonly superseded: number;
  /** The last seal: note its digest elsewhere, and seals can't be cut off unseen from then on. Null where there is none. */
  readonly last: { readonly sequence: number; readonly digest: Digest } | null;
}

/**
 * Recomputes everything that seals say, and names each difference. Needs no network and no disk of its own; nothing is changed.
 *
 * @throws SealError KEY_DAMAGED for a public key that is none; whatever `readArtifact` throws besides a DurableFileError
 */
export async function verifySealChain(input: ChainToVerify): Promise<SealVerification> {
  const { acceptUnsigned = false, anchors = [], expected = [] } = input;
  const keys = new Map(input.publicKeys.map(parsePublicKey).map((key) => [keyIdOf(key), key]));
  const dsse = await loadDsse();
  const chain = readChain(input.seals);
  const current = chain.seals.filter(({ seal }) => !chain.superseded.has(seal));
  const unsettled = new Set(expected.filter(({ isSettled }) => !isSettled).map(({ recordFile }) => recordFile));
  const files = await checkFiles(current, input.readArtifact);
  return {
    differences: [
      ...chain.differences,
      ...chain.seals.flatMap((filed) => checkSignature(filed, { keys, acceptUnsigned, dsse })),
      ...checkLinks(chain, { head: input.head, anchors }),
      ...checkRecords(chain, { current, expected }),
      // Said by checkRecords already, and why.
      ...files.filter(({ file }) => !unsettled.has(file)),
    ],
    ...countsOf(chain),
  };
}

function countsOf(chain: ReadChain): Omit<SealVerification, 'differences'> {
  const signed = chain.seals.filter(({ seal }) => seal.envelope.signatures.length > 0).length;
  const last = chain.seals.at(-1);
  return {
    seals: chain.seals.length,
    signed,
    unsigned: chain.seals.length - signed,
    superseded: chain.seals.filter(({ seal }) => chain.superseded.has(seal)).length,
    last: last === undefined ? null : { sequence: sequenceOf(last), digest: last.seal.digest },
  };
}
