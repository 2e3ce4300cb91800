import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { listFolder, readTextFile } from '@bailiwick/durable-files';
import { SealError } from '../errors.ts';

const PUBLIC_KEY_ENDING = '.pub.pem';
const MAX_KEY_BYTES = 16 * 1024;

/** The file of a public key, in its key folder. */
export function publicKeyFileOf(keyId: string): string {
  return `${keyId}${PUBLIC_KEY_ENDING}`;
}

/**
 * The public keys of a key folder, as PEM: of the pair in use, and of those before it. Empty where the folder is missing.
 * Trust in them is trust in the folder: a verifier elsewhere brings its own copy.
 *
 * @throws DurableFileError as `readTextFile`
 */
export async function readPublicKeys(keyFolder: string): Promise<readonly string[]> {
  const names = (await listFolder(keyFolder)).filter((name) => name.endsWith(PUBLIC_KEY_ENDING));
  const texts = await Promise.all(
    names.map((name) => readTextFile(join(keyFolder, name), { maxBytes: MAX_KEY_BYTES })),
  );
  return texts.filter((text) => text !== undefined);
}

/** A public key of ours from its PEM. Throws SealError KEY_DAMAGED for anything else. */
export function parsePublicKey(pem: string): KeyObject {
  let cause: unknown;
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519' && !pem.includes('PRIVATE')) return key;
  } catch (error) {
    cause = error;
  }
  throw new SealError('KEY_DAMAGED', 'a key to verify with is no ed25519 public key in PEM', {
    hint: `name a ${PUBLIC_KEY_ENDING} file of a key folder`,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The SHA-256 of a public key's DER (SPKI), in hex. */
export function keyIdOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex');
}
