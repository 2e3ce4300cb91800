import { isAbsolute, normalize, relative } from 'node:path';
import { findProvider } from '@bailiwick/agent-providers';
import { type BackendKind, findRoleExecution, type RoleExecution, type RunManifest } from '@bailiwick/dispatch-state';
import { digestOfBytes, readDocument, readTextFile } from '@bailiwick/durable-files';
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
import { parsePromptHeaders } from './prompt-headers.ts';
import { checkSchemaExcerpt } from './schema-excerpt.ts';

/** Largest prompt that is read at all; a provider's own limit is usually smaller. */
const MAX_PROMPT_BYTES = 16 * 1024 * 1024;

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
  if (metadata === undefined)
    throw new DispatchError('METADATA_MISSING', `no metadata beside the prompt`, {
      path: metadataPath,
      hint: 'a prompt is dispatched with its `<prompt>.meta.json`; `bailiwick run create` makes both',
    });
  if (metadata.generation === 'v1')
    throw new DispatchError(
      'GENERATION_UNAUDITED',
      'metadata of generation v1 names no role execution and can not be audited',
      {
        path: metadataPath,
        hint: 'make the prompt anew with `bailiwick run create`',
      },
    );
  if (metadata.attempt !== 1)
    throw new DispatchError('ATTEMPT_NOT_FIRST', `a plan takes metadata of attempt 1, not ${metadata.attempt}`, {
      path: metadataPath,
    });
  return { metadata, metadataPath };
}

async function readPrompt(promptPath: string): Promise<string> {
  const text = await readTextFile(promptPath, { maxBytes: MAX_PROMPT_BYTES });
  if (text !== undefined && text.trim() !== '') return text;
  throw new DispatchError('PROMPT_INVALID', text === undefined ? 'the prompt is missing' : 'the prompt is empty', {
    path: promptPath,
  });
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
  const promptDigest = checkedDigest(text, metadata, request.promptPath);
  const headers = parsePromptHeaders(text, request.promptPath);
  const dropBoxPath = dropBoxOf(manifest.projectRoot, metadata.invocationRef);
  const resultPath = outputPath(headers['Result Path'], dropBoxPath, request.promptPath);
  const workerResultPath = outputPath(headers['Worker Result Path'], dropBoxPath, request.promptPath);
  if (resultPath === workerResultPath)
    throw new DispatchError('PROMPT_INVALID', 'Result Path and Worker Result Path are the same file', {
      path: request.promptPath,
    });
  const promptBytes = Buffer.byteLength(text);
  refuseTooLarge(promptBytes, roleExecution, request.promptPath);
  return {
    workerId: workerOf({ generation: 'v2', ...identityOf(metadata) }, manifest),
    dispatchId: buildDispatchId(metadata.invocationId, metadata.attempt),
    metadata,
    roleExecution,
    promptPath: request.promptPath,
    metadataPath,
    promptDigest,
    promptBytes,
    resultPath,
    workerResultPath,
    completionPaths: [resultPath, workerResultPath],
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
  const row = findRoleExecution(manifest, metadata.roleExecutionRef);
  const runner = row?.binding?.runner;
  if (row !== undefined && runner === 'cli-wrapper') return row;
  throw new DispatchError(
    'RUNNER_NOT_DISPATCHED',
    runner === undefined
      ? `${metadata.executionLabel} has no model bound to it`
      : `${metadata.executionLabel} is bound to runner "${runner}"; only cli-wrapper bindings are dispatched`,
    { hint: '`bailiwick models resolve REF` shows what a model resolves to on this host' },
  );
}

function checkedDigest(text: string, metadata: PromptMetadataV2, promptPath: string): WorkerJob['promptDigest'] {
  const digest = digestOfBytes(text);
  if (digest === metadata.inputDigest) return digest;
  throw new DispatchError(
    'INPUT_DIGEST_DIFFERS',
    `the prompt's bytes give ${digest}, its metadata say ${metadata.inputDigest}`,
    {
      path: promptPath,
      hint: 'the prompt was changed after its metadata were made: make both anew',
    },
  );
}

/** An output lies in the invocation's drop box and nowhere else (WP-2). */
function outputPath(value: string, dropBoxPath: string, promptPath: string): string {
  const path = normalize(value);
  const below = relative(dropBoxPath, path);
  if (isAbsolute(value) && below !== '' && !below.startsWith('..') && !isAbsolute(below)) return path;
  throw new DispatchError('OUTPUT_OUTSIDE_DROP_BOX', `output path ${value} isn't in the drop box ${dropBoxPath}`, {
    path: promptPath,
  });
}

function refuseTooLarge(promptBytes: number, roleExecution: RoleExecution, promptPath: string): void {
  const { maxPromptBytes, displayName } = findProvider(roleExecution.provider);
  if (promptBytes <= maxPromptBytes) return;
  throw new DispatchError(
    'PROMPT_TOO_LARGE',
    `the prompt has ${promptBytes} bytes, ${displayName} takes ${maxPromptBytes}`,
    {
      path: promptPath,
      hint: 'shorten the task, or let it name files to read instead of holding them',
    },
  );
}
