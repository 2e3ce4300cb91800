import { sign } from 'node:crypto';
import { loadOrMakeKeyPair } from '../keys/key-pair.ts';
import { refuseReach } from '../keys/key-reach.ts';
import { PAYLOAD_TYPE, type Seal, type Signing, type StatementInput } from '../model.ts';
import { loadDsse } from './dsse.ts';
import { makeSeal, type SealLink } from './make-seal.ts';

/** What seals attempts, signed or not. */
export interface Sealer {
  readonly signing: Signing;
  /**
   * The seal of an attempt, ready to be stored; pure but for the key.
   *
   * @throws DurableFileError DOCUMENT_INVALID for a statement that could not be read again
   */
  readonly sealAttempt: (input: StatementInput, link: SealLink) => Seal;
  /** True where this sealer made the seal, by its signature; of an unsigned sealer, where the seal is unsigned too. */
  readonly hasMade: (seal: Seal) => boolean;
}

/** A sealer that signs. */
export interface SigningSealer extends Sealer {
  /** PEM (SPKI): what others need to check its seals. */
  readonly publicKey: string;
}

/** Where the key pair lies. */
export interface SealerOptions {
  /**
   * A folder of the user's own that no worker can write, such as one in the user's state folder; never the project. Made where it is
   * missing, with the key pair in it.
   */
  readonly keyFolder: string;
  /** The folders that workers may write; the key folder must not lie in one of them. */
  readonly workerRoots: readonly string[];
}

/**
 * A sealer with the key pair of a folder, which is made on first use: `sealing-key.pem` (0600) and `<key id>.pub.pem`. Of any number of
 * processes that come first, all get the same pair. Durable when it returns.
 *
 * @throws SealError KEY_WITHIN_REACH, KEY_EXPOSED, KEY_DAMAGED; DurableFileError as `writeTextFile`
 */
export async function createSealer({ keyFolder, workerRoots }: SealerOptions): Promise<SigningSealer> {
  await refuseReach(keyFolder, workerRoots);
  const [pair, dsse] = await Promise.all([loadOrMakeKeyPair(keyFolder), loadDsse()]);
  const signing: Signing = { algorithm: 'ed25519', keyId: pair.keyId };
  const signatureOf = (payload: Buffer): Buffer =>
    sign(null, dsse.signedBytesOf(PAYLOAD_TYPE, payload), pair.privateKey);
  return {
    signing,
    publicKey: pair.publicKeyPem,
    sealAttempt: (input, link) => makeSeal(input, link, { signing, signatureOf }),
    hasMade: ({ envelope }) =>
      envelope.signatures[0]?.keyid === pair.keyId && dsse.isSignedBy(envelope, pair.publicKey),
  };
}

/**
 * A sealer that signs nothing, for where a worker could read the key anyway (`keyIsolation: none`). Its seals say so and why, and are
 * chained all the same: they show mistakes and damage, not forgery.
 */
export function createUnsignedSealer({ reason }: { readonly reason: string }): Sealer {
  const signing: Signing = { algorithm: 'none', reason };
  return {
    signing,
    sealAttempt: (input, link) => makeSeal(input, link, { signing, signatureOf: () => null }),
    hasMade: ({ envelope, statement }) =>
      envelope.signatures.length === 0 && statement.predicate.signing.algorithm === 'none',
  };
}
