import { copyFileDurably, writeDocument } from '@bailiwick/durable-files';
import { metadataCodec } from '../wire/index.ts';
import { checkInputDigest } from './check-metadata.ts';
import { type MaterializedRetry, materializeRetry, type RetrySource } from './materialize-retry.ts';

/**
 * Writes what materializeRetry returns beside the failed attempt's prompt: a byte-for-byte copy of the prompt, then the
 * new metadata, each durable when this returns (RT-2). Doing it again, after a crash too, gives the same files.
 * Throws INPUT_DIGEST_DISAGREES, before any metadata is written, where the prompt is no longer what the first attempt
 * got; else as materializeRetry and durable-files do.
 */
export async function storeRetry(source: RetrySource): Promise<MaterializedRetry> {
  const retry = materializeRetry(source);
  const copy = await copyFileDurably(source.promptPath, retry.promptPath);
  checkInputDigest(retry.metadata, copy.digest, source.promptPath);
  await writeDocument(retry.metadataPath, metadataCodec, retry.metadata);
  return retry;
}
