import { type DispatchRecord, logPathOf, logSizeOf, sidecarPathOf } from '@bailiwick/dispatch-state';
import { digestOfFile, isDurableFileError } from '@bailiwick/durable-files';
import { isIdentityError, splitDispatchId, storeRetry } from '@bailiwick/execution-identity';
import { type DispatchContext, timestampOf } from '../context.ts';
import { isDispatchError } from '../errors.ts';
import { NOT_SETTLED, newSessionFor } from '../launch/draft-record.ts';
import { firstMetadata } from './first-metadata.ts';

/** An attempt whose settlement decided that there is to be another one. */
export type RetriedRecord = DispatchRecord & { readonly retry: NonNullable<DispatchRecord['retry']> };

/**
 * The record of the attempt that follows: a new session, prompt copy, metadata and invocation id; the same invocation, outputs,
 * limits and wanted backend (RT-2, RT-5); its verdict is bound to the source as it is now, `source` (ST-8). Every re-dispatch is made here. Writes prompt and metadata, nothing else.
 */
export async function draftRetry(
  context: DispatchContext,
  failed: RetriedRecord,
  source: DispatchRecord['sourceDigest'],
): Promise<DispatchRecord> {
  const retry = await storeRetry({
    metadata: await firstMetadata(failed),
    promptPath: failed.promptPath,
    attempt: failed.attempt + 1,
  });
  return {
    ...(await successorOf(context, failed)),
    sourceDigest: source,
    promptPath: retry.promptPath,
    promptMetadataPath: retry.metadataPath,
    orchestratorDigests: await guardedAgain(failed, [retry.promptPath, retry.metadataPath]),
  };
}

/** What `draftRetry` can't make a retry of, however often it is asked: documents that aren't what the first attempt got. */
export function isRefusedForGood(error: unknown): error is Error & { readonly code: string } {
  if (isIdentityError(error) || isDispatchError(error)) return true;
  return isDurableFileError(error) && GONE_FOR_GOOD.has(error.code);
}

const GONE_FOR_GOOD: ReadonlySet<string> = new Set([
  'FILE_MISSING',
  'FOLDER_MISSING',
  'NOT_A_REGULAR_FILE',
  'NOT_A_FOLDER',
  'FILE_TOO_LARGE',
  'FILE_NOT_UTF8',
  'DOCUMENT_MISSING',
  'DOCUMENT_DAMAGED',
]);

/**
 * The record of a retry that was refused before it had a prompt of its own: the decision has its end in it, and is not asked again at every
 * await. It names the prompt that was refused.
 */
export async function draftRefusedRetry(context: DispatchContext, failed: RetriedRecord): Promise<DispatchRecord> {
  return { ...(await successorOf(context, failed)), orchestratorDigests: await guardedAgain(failed, []) };
}

async function successorOf(context: DispatchContext, failed: RetriedRecord): Promise<DispatchRecord> {
  const dispatchId = failed.retry.successor;
  const { invocationId, attempt } = splitDispatchId(dispatchId);
  return {
    ...failed,
    ...NOT_SETTLED,
    dispatchId,
    attempt,
    invocationId,
    backend: failed.wantedBackend,
    degradedFrom: null,
    degradedReason: null,
    status: 'launching',
    reason: '',
    paneId: null,
    sessionId: newSessionFor(failed.provider),
    statusSidecarPath: sidecarPathOf(context.layout, dispatchId),
    logPath: logPathOf(context.layout, dispatchId),
    dispatchedAt: timestampOf(context),
    eventLogOffset: await logSizeOf(context.layout.eventLogPath),
    errorLogOffset: await logSizeOf(context.layout.errorLogPath),
  };
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
