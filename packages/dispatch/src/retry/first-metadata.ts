import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { requireDocument } from '@bailiwick/durable-files';
import { metadataCodec, type PromptMetadataV2 } from '@bailiwick/execution-identity';
import { DispatchError } from '../errors.ts';

/**
 * The metadata of the attempt that failed, as its record has it: a file that was changed since gives no retry, whatever it says
 * now (ID-4, RT-5). The record says too what the prompt was, so that prompt and metadata can't be exchanged together.
 */
export async function firstMetadata(failed: DispatchRecord): Promise<PromptMetadataV2> {
  const path = failed.promptMetadataPath;
  const metadata = await requireDocument(path, metadataCodec);
  if (metadata.generation !== 'v2')
    throw new DispatchError('GENERATION_UNAUDITED', 'the first attempt has metadata of generation v1', { path });
  const changed = changedFields(metadata, failed);
  if (changed.length === 0) return metadata;
  throw new DispatchError('PROMPT_INVALID', `the metadata was changed since the first attempt: ${changed.join(', ')}`, {
    path,
  });
}

const SHARED = [
  'invocationRef',
  'invocationId',
  'attempt',
  'participantRef',
  'roleExecutionRef',
  'executionLabel',
  'dutyId',
  'audience',
  'assignmentRef',
  'inputDigest',
] as const satisfies readonly (keyof PromptMetadataV2 & keyof DispatchRecord)[];

function changedFields(metadata: PromptMetadataV2, failed: DispatchRecord): readonly string[] {
  const shared = SHARED.filter((field) => metadata[field] !== failed[field]);
  return metadata.dispatchKind === failed.kind ? shared : [...shared, 'dispatchKind'];
}
