import { readFile } from 'node:fs/promises';
import { readPublicKeys } from '@bailiwick/attempt-evidence';
import { type Digest, isDigest } from '@bailiwick/durable-files';
import { RunError } from '../errors.ts';

/** The public keys in files; where none is named, those of the key folder. KEY_UNREADABLE. */
export async function trustedKeys(files: readonly string[], keyFolder: string): Promise<readonly string[]> {
  return files.length === 0 ? readPublicKeys(keyFolder) : Promise.all(files.map(readKey));
}

/** The digest of a last seal, as somebody noted it. ANCHOR_INVALID. */
export function parseAnchor(text: string): Digest {
  if (isDigest(text)) return text;
  throw new RunError('ANCHOR_INVALID', `"${text}" is no digest of a seal`, {
    hint: 'give the `last.digest` that an earlier `run verify --json` printed: sha256: and 64 hex digits',
  });
}

async function readKey(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new RunError('KEY_UNREADABLE', `the public key ${path} can't be read`, {
      path,
      hint: 'name a .pub.pem file of a key folder',
      cause,
    });
  }
}
