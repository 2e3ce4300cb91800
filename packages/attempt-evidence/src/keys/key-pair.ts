/**
 * The key pair of a folder.
 *
 * K1 The private key is written once, exclusively: whoever comes second takes the first one's.
 * K2 It is used only while nobody but its owner could have read or replaced it, as far as permissions tell.
 * K3 Public keys are never removed: seals of an earlier pair stay verifiable.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder, isDurableFileError, readTextFile, writeTextFile } from '@bailiwick/durable-files';
import { SealError } from '../errors.ts';
import { keyIdOf, publicKeyFileOf } from './public-keys.ts';

const PRIVATE_KEY_FILE = 'sealing-key.pem';
const MAX_KEY_BYTES = 16 * 1024;

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicKeyPem: string;
  readonly keyId: string;
}

/** The folder's key pair, made where there is none (K1). Throws SealError KEY_EXPOSED, KEY_DAMAGED; DurableFileError. */
export async function loadOrMakeKeyPair(folder: string): Promise<KeyPair> {
  await ensureFolder(folder, { mode: 0o700 });
  const path = join(folder, PRIVATE_KEY_FILE);
  refuseExposed(folder, path);
  const pair = pairOf(
    (await readTextFile(path, { maxBytes: MAX_KEY_BYTES })) ?? (await makePrivateKey(folder, path)),
    path,
  );
  await publish(folder, pair);
  return pair;
}

async function makePrivateKey(folder: string, path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  try {
    await writeTextFile(path, pem, { exclusive: true, mode: 0o600 });
    return pem;
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
    refuseExposed(folder, path);
    const theirs = await readTextFile(path, { maxBytes: MAX_KEY_BYTES });
    if (theirs === undefined) throw error;
    return theirs;
  }
}

function pairOf(pem: string, path: string): KeyPair {
  const privateKey = privateKeyOf(pem, path);
  const publicKey = createPublicKey(privateKey);
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, publicKey, publicKeyPem, keyId: keyIdOf(publicKey) };
}

function privateKeyOf(pem: string, path: string): KeyObject {
  let cause: unknown;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    cause = error;
  }
  throw new SealError('KEY_DAMAGED', `${path} is no ed25519 private key`, {
    path,
    hint: 'move it away and a new pair is made; seals of the old one stay verifiable with its public key',
    ...(cause === undefined ? {} : { cause }),
  });
}

async function publish(folder: string, { keyId, publicKeyPem }: KeyPair): Promise<void> {
  const path = join(folder, publicKeyFileOf(keyId));
  if ((await readTextFile(path, { maxBytes: MAX_KEY_BYTES })) === publicKeyPem) return;
  await writeTextFile(path, publicKeyPem, { mode: 0o644 });
}

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ANYTHING = 0o077;

function refuseExposed(folder: string, path: string): void {
  refuseOthers(folder, OTHERS_MAY_WRITE, 'can replace the key in');
  refuseOthers(path, OTHERS_MAY_ANYTHING, 'can use the key');
}

function refuseOthers(path: string, forbidden: number, what: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const isForeign = process.geteuid !== undefined && stats.uid !== process.geteuid();
  if (!isForeign && (stats.mode & forbidden) === 0) return;
  throw new SealError('KEY_EXPOSED', `others than the user ${what} ${path}`, {
    path,
    hint: "make it the user's own, the folder 0700 and the key 0600; if others may have read it, move the key away for a new one",
  });
}
