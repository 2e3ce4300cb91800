import { readTextFile } from '@bailiwick/durable-files';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import { metadataCodec } from '../wire/index.ts';
import type { PromptMetadata } from './model.ts';

// Real metadata has under 2 kB; the bound keeps a wrong file from being read whole.
const MAX_METADATA_BYTES = 1024 * 1024;

/** Where the metadata of a prompt lies: `<prompt>.meta.json`, beside it. */
export function metadataPathOf(promptPath: string): string {
  return `${promptPath}.meta.json`;
}

/**
 * The metadata beside a prompt. A prompt without metadata is refused (ID-1): METADATA_MISSING. What can't be read or
 * isn't JSON: METADATA_UNREADABLE, with the reason as `cause`. Else throws as metadataCodec does. Changes no file.
 */
export async function readMetadata(promptPath: string): Promise<PromptMetadata> {
  const path = metadataPathOf(promptPath);
  const text = await textOf(path);
  if (text !== undefined) return metadataCodec.decode(parseJson(text, path), path);
  const hint = 'make the prompt with its metadata; a job without metadata is never dispatched';
  throw new IdentityError(IdentityErrorCode.metadataMissing, `${path}: there is no metadata beside the prompt`, {
    path,
    hint,
  });
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, { maxBytes: MAX_METADATA_BYTES });
  } catch (cause) {
    throw unreadable(path, "can't be read as text", cause);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, 'is not JSON', cause);
  }
}

function unreadable(path: string, what: string, cause: unknown): IdentityError {
  const hint = 'look at the file; it is left as it is';
  return new IdentityError(IdentityErrorCode.metadataUnreadable, `${path}: ${what}`, { path, hint, cause });
}
