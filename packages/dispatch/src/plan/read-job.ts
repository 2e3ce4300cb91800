import { type BackendKind, findRoleExecution, type RoleExecution, type RunManifest } from '@bailiwick/dispatch-state';
import { readDocument } from '@bailiwick/durable-files';
import {
  buildDispatchId,
  checkMetadata,
  type InvocationRef,
  metadataCodec,
  metadataPathOf,
  type PromptMetadataV2,
  workerOf,
} from '@bailiwick/execution-identity';
import { dropBoxOf } from '../contract/drop-box.ts';
import { DispatchError } from '../errors.ts';
import type { WorkerJob } from './job.ts';
import { checkPrompt, readPrompt } from './prompt-file.ts';
import { checkSchemaExcerpt } from './schema-excerpt.ts';

/** A prompt to dispatch (absolute path), where to run it, and what it makes up for. */
export interface JobRequest {
  readonly promptPath: string;
  readonly backend: BackendKind;
  readonly recoveryOf?: InvocationRef;
}

/** One job as its prompt and metadata say it; writes nothing. Refuses by PL-5, ID-1…3, ID-10 and AR-5. */
export async function readJob(manifest: RunManifest, request: JobRequest): Promise<WorkerJob> {
  const { metadata, metadataPath } = await readMetadata(request.promptPath);
  const text = await readPrompt(request.promptPath);
  await checkSchemaExcerpt(request.promptPath);
  return assembleJob({ manifest, request, metadata, metadataPath, text });
}

/** The plan-shape facts of a job, which are known before its prompt is opened (PL-4). */
export async function readMetadata(promptPath: string): Promise<{ metadata: PromptMetadataV2; metadataPath: string }> {
  const metadataPath = metadataPathOf(promptPath);
  const metadata = await readDocument(metadataPath, metadataCodec);
  if (metadata === undefined) throw metadataMissing(metadataPath);
  if (metadata.generation === 'v1')
    throw new DispatchError(
      'GENERATION_UNAUDITED',
      'metadata of generation v1 names no role execution and can not be audited',
      {
        path: metadataPath,
        hint: 'make the prompt anew with `bailiwick run create`, or run its jobs file with --allow-unaudited',
      },
    );
  if (metadata.attempt !== 1)
    throw new DispatchError('ATTEMPT_NOT_FIRST', `a plan takes metadata of attempt 1, not ${metadata.attempt}`, {
      path: metadataPath,
    });
  return { metadata, metadataPath };
}

function assembleJob(facts: {
  readonly manifest: RunManifest;
  readonly request: JobRequest;
  readonly metadata: PromptMetadataV2;
  readonly metadataPath: string;
  readonly text: string;
}): WorkerJob {
  const { manifest, request, metadata, metadataPath, text } = facts;
  const roleExecution = boundRoleExecution(manifest, metadata);
  const dropBoxPath = dropBoxOf(manifest.projectRoot, metadata.invocationRef);
  const { promptPath } = request;
  const { inputDigest } = metadata;
  const prompt = checkPrompt(text, { promptPath, inputDigest, dropBoxPath, provider: roleExecution.provider });
  return {
    workerId: workerOf({ generation: 'v2', ...identityOf(metadata) }, manifest),
    dispatchId: buildDispatchId(metadata.invocationId, metadata.attempt),
    metadata,
    roleExecution,
    promptPath,
    metadataPath,
    ...prompt,
    dropBoxPath,
    backend: request.backend,
    recoveryOf: request.recoveryOf ?? null,
  };
}

/** The identity part of metadata. */
export function identityOf(metadata: PromptMetadataV2): {
  readonly participantRef: PromptMetadataV2['participantRef'];
  readonly roleExecutionRef: PromptMetadataV2['roleExecutionRef'];
  readonly invocationRef: PromptMetadataV2['invocationRef'];
  readonly executionLabel: PromptMetadataV2['executionLabel'];
  readonly dutyId: PromptMetadataV2['dutyId'];
  readonly attempt: number;
} {
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = metadata;
  return { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt };
}

function boundRoleExecution(manifest: RunManifest, metadata: PromptMetadataV2): RoleExecution {
  checkMetadata(metadata, manifest);
  return requireCliWrapper(findRoleExecution(manifest, metadata.roleExecutionRef), metadata.executionLabel);
}

/** Only cli-wrapper bindings are dispatched (AR-5); `label` names the worker for a person. RUNNER_NOT_DISPATCHED. */
export function requireCliWrapper(row: RoleExecution | undefined, label: string): RoleExecution {
  const runner = row?.binding?.runner;
  if (row !== undefined && runner === 'cli-wrapper') return row;
  throw new DispatchError(
    'RUNNER_NOT_DISPATCHED',
    runner === undefined
      ? `${label} has no model bound to it`
      : `${label} is bound to runner "${runner}"; only cli-wrapper bindings are dispatched`,
    { hint: '`bailiwick models resolve REF` shows what a model resolves to on this host' },
  );
}

/** A job without metadata is refused, whatever its generation might be (ID-1). */
export function metadataMissing(path: string): DispatchError {
  return new DispatchError('METADATA_MISSING', `no metadata beside the prompt`, {
    path,
    hint: 'a prompt is dispatched with its `<prompt>.meta.json`; `bailiwick run create` makes both',
  });
}
