import { type DispatchRecord, logPathOf, logSizeOf, sidecarPathOf } from '@bailiwick/dispatch-state';
import { digestOfFile, requireDocument } from '@bailiwick/durable-files';
import { buildDispatchId, metadataCodec, type PromptMetadataV2, storeRetry } from '@bailiwick/execution-identity';
import { type DispatchContext, timestampOf } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { NOT_SETTLED, newSessionFor } from '../launch/draft-record.ts';

/** An attempt whose settlement decided that there is to be another one. */
export type RetriedRecord = DispatchRecord & { readonly retry: NonNullable<DispatchRecord['retry']> };

/**
 * The record of the attempt that follows: a new session, prompt copy, metadata and invocation id; the same invocation, outputs,
 * limits and wanted backend (RT-2, RT-5). Every re-dispatch is made here. Writes prompt and metadata, nothing else.
 */
export async function draftRetry(context: DispatchContext, failed: RetriedRecord): Promise<DispatchRecord> {
  const retry = await storeRetry({
    metadata: await firstMetadata(failed),
    promptPath: failed.promptPath,
    attempt: failed.attempt + 1,
  });
  const dispatchId = buildDispatchId(retry.metadata.invocationId, retry.metadata.attempt);
  if (dispatchId !== failed.retry.successor)
    throw new DispatchError(
      'PROMPT_INVALID',
      `the retry would be ${dispatchId}, decided was ${failed.retry.successor}`,
    );
  return {
    ...failed,
    ...NOT_SETTLED,
    dispatchId,
    attempt: retry.metadata.attempt,
    invocationId: retry.metadata.invocationId,
    backend: failed.wantedBackend,
    degradedFrom: null,
    degradedReason: null,
    status: 'launching',
    reason: '',
    paneId: null,
    sessionId: newSessionFor(failed.provider),
    promptPath: retry.promptPath,
    promptMetadataPath: retry.metadataPath,
    statusSidecarPath: sidecarPathOf(context.layout, dispatchId),
    logPath: logPathOf(context.layout, dispatchId),
    dispatchedAt: timestampOf(context),
    orchestratorDigests: await guardedAgain(failed, [retry.promptPath, retry.metadataPath]),
    eventLogOffset: await logSizeOf(context.layout.eventLogPath),
    errorLogOffset: await logSizeOf(context.layout.errorLogPath),
  };
}

async function firstMetadata(failed: DispatchRecord): Promise<PromptMetadataV2> {
  const metadata = await requireDocument(failed.promptMetadataPath, metadataCodec);
  if (metadata.generation === 'v2') return metadata;
  throw new DispatchError('GENERATION_UNAUDITED', 'the first attempt has metadata of generation v1', {
    path: failed.promptMetadataPath,
  });
}

async function guardedAgain(
  failed: DispatchRecord,
  promptFiles: readonly string[],
): Promise<DispatchRecord['orchestratorDigests']> {
  const kept = failed.orchestratorDigests.filter(
    ({ path }) => path !== failed.promptPath && path !== failed.promptMetadataPath,
  );
  const fresh = await Promise.all(promptFiles.map(async (path) => ({ path, digest: await digestOfFile(path) })));
  return [...kept, ...fresh];
}
