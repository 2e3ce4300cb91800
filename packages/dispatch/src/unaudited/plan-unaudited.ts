import {
  type BackendKind,
  type RoleExecution,
  type RunManifest,
  roleExecutionsOfWorker,
} from '@bailiwick/dispatch-state';
import { readDocument } from '@bailiwick/durable-files';
import {
  buildDispatchId,
  type DispatchId,
  metadataCodec,
  metadataPathOf,
  type PromptMetadata,
  type PromptMetadataV1,
  roleOfAudience,
  type WorkerId,
} from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { dropBoxOf } from '../contract/drop-box.ts';
import { DispatchError } from '../errors.ts';
import { checkModelSources } from '../plan/model-source.ts';
import { checkPrompt, type PromptFacts, readPrompt } from '../plan/prompt-file.ts';
import { metadataMissing, requireCliWrapper } from '../plan/read-job.ts';
import { checkSchemaExcerpt } from '../plan/schema-excerpt.ts';
import { checkBatchShape } from '../plan/shape-rules.ts';
import { mapSeveral } from '../several-at-once.ts';

/** A prompt to dispatch (absolute path), where to run it, and whose job it is where its metadata don't say. */
export interface UnauditedRequest {
  readonly promptPath: string;
  readonly backend: BackendKind;
  readonly workerId?: WorkerId | undefined;
}

/** A v1 job, as planned: known by its worker id alone (ID-1); the model is the one that the manifest binds to that worker in this role. */
export interface UnauditedJob extends PromptFacts {
  readonly workerId: WorkerId;
  readonly dispatchId: DispatchId;
  readonly metadata: PromptMetadataV1;
  readonly roleExecution: RoleExecution;
  readonly promptPath: string;
  readonly metadataPath: string;
  readonly dropBoxPath: string;
  readonly backend: BackendKind;
}

/** The generation of all prompts of a command; BATCH_MIXES_GENERATIONS where they are of both (WP-7), METADATA_MISSING (ID-1). */
export async function generationOf(promptPaths: readonly string[]): Promise<PromptMetadata['generation']> {
  const all = await mapSeveral(promptPaths, requireMetadata);
  const old = promptPaths.filter((_, at) => all[at]?.generation === 'v1');
  if (old.length === 0) return 'v2';
  if (old.length === all.length) return 'v1';
  throw new DispatchError('BATCH_MIXES_GENERATIONS', `of ${all.length} jobs ${old.length} have metadata of v1`, {
    names: old,
    hint: 'a batch holds jobs of one generation: dispatch those of v1 by themselves',
  });
}

/**
 * The v1 jobs of a command; writes nothing. Shape is checked before any prompt is opened (PL-4); each prompt is checked as a v2 one is
 * (PL-5, PL-6, AR-5). Throws DispatchError WORKER_UNKNOWN, ASSIGNMENT_DISAGREES, and as `buildPlan`.
 */
export async function planUnaudited(
  context: DispatchContext,
  requests: readonly UnauditedRequest[],
): Promise<readonly UnauditedJob[]> {
  const known = await mapSeveral(requests, (request) => identify(context.manifest, request));
  const shapes = known.map(({ workerId, metadata, request }) => ({
    workerId,
    audience: metadata.audience,
    backend: request.backend,
  }));
  checkBatchShape(shapes, context.backends);
  const jobs = await mapSeveral(known, (one) => readUnauditedJob(context.manifest, one));
  checkModelSources(context, jobs);
  return jobs;
}

interface Identified {
  readonly request: UnauditedRequest;
  readonly metadata: PromptMetadataV1;
  readonly workerId: WorkerId;
}

async function identify(manifest: RunManifest, request: UnauditedRequest): Promise<Identified> {
  const metadata = await requireMetadata(request.promptPath);
  if (metadata.generation !== 'v1')
    throw new TypeError(`${request.promptPath} has metadata of v2: plan it with buildPlan`);
  const named = [metadata.workerId, request.workerId].filter((id) => id !== undefined);
  const [workerId, other] = [...new Set(named)];
  if (workerId !== undefined && other === undefined && manifest.participants.some((row) => row.workerId === workerId))
    return { request, metadata, workerId };
  throw new DispatchError('WORKER_UNKNOWN', `whose job this is can't be told: it names ${wordsOf(named)}`, {
    path: metadataPathOf(request.promptPath),
    names: named,
    hint: `name one worker of the run, in the metadata or the jobs file: ${manifest.participants.map((row) => row.workerId).join(', ')}`,
  });
}

function wordsOf(named: readonly WorkerId[]): string {
  return named.length === 0 ? 'no worker' : named.join(' and ');
}

async function readUnauditedJob(
  manifest: RunManifest,
  { request, metadata, workerId }: Identified,
): Promise<UnauditedJob> {
  const { promptPath, backend } = request;
  const text = await readPrompt(promptPath);
  await checkSchemaExcerpt(promptPath);
  const roleExecution = roleExecutionOf(manifest, { metadata, workerId, promptPath });
  const dropBoxPath = dropBoxOf(manifest.projectRoot, metadata.invocationId);
  const { inputDigest } = metadata;
  const { provider } = roleExecution;
  return {
    ...checkPrompt(text, { promptPath, inputDigest, dropBoxPath, provider }),
    workerId,
    dispatchId: buildDispatchId(metadata.invocationId, 1),
    metadata,
    roleExecution,
    promptPath,
    metadataPath: metadataPathOf(promptPath),
    dropBoxPath,
    backend,
  };
}

/** What the manifest binds to the worker in the audience's role; what the metadata say of the model must not be something else. */
function roleExecutionOf(
  manifest: RunManifest,
  o: { readonly metadata: PromptMetadataV1; readonly workerId: WorkerId; readonly promptPath: string },
): RoleExecution {
  const role = roleOfAudience(o.metadata.audience);
  const rows = roleExecutionsOfWorker(manifest, o.workerId).filter((row) => row.role === role);
  const [row] = rows;
  const path = metadataPathOf(o.promptPath);
  if (row === undefined || rows.length > 1)
    throw new DispatchError(
      'WORKER_UNKNOWN',
      `${o.workerId} is ${role} in ${rows.length} rows of the run, not in one`,
      {
        path,
        names: [o.workerId],
      },
    );
  const bound = requireCliWrapper(row, o.workerId);
  const differing = assignmentDifferences(o.metadata.assignment, bound);
  if (differing.length === 0) return bound;
  throw new DispatchError(
    'ASSIGNMENT_DISAGREES',
    `the metadata and the run's manifest disagree: ${differing.join('; ')}`,
    {
      path,
      names: [o.workerId],
      hint: 'make the prompt for the model that the run binds to this worker',
    },
  );
}

function assignmentDifferences(assignment: PromptMetadataV1['assignment'], row: RoleExecution): readonly string[] {
  const { provider, modelRef, runner, modelExecutionValue } = assignment;
  const pairs = [
    ['provider', provider, row.provider],
    ['modelRef', modelRef, row.modelRef],
    ['runner', runner, row.binding?.runner],
    ['modelExecutionValue', modelExecutionValue, row.binding?.resolvedExecutionValue],
  ] as const;
  return pairs
    .filter(([, said, bound]) => said !== undefined && said !== bound)
    .map(([field, said, bound]) => `${field} is ${said} there and ${bound} here`);
}

async function requireMetadata(promptPath: string): Promise<PromptMetadata> {
  const path = metadataPathOf(promptPath);
  const metadata = await readDocument(path, metadataCodec);
  if (metadata === undefined) throw metadataMissing(path);
  return metadata;
}
