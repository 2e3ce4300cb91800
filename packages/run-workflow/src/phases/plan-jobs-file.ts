import { dirname, resolve } from 'node:path';
import {
  buildPlan,
  type DispatchContext,
  type DispatchPlan,
  generationOf,
  planUnaudited,
  type UnauditedJob,
  type UnauditedRequest,
} from '@bailiwick/dispatch';
import type { BackendKind } from '@bailiwick/dispatch-state';
import { type DocumentCodec, defineDocument, isDurableFileError, requireDocument } from '@bailiwick/durable-files';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { RunError } from '../errors.ts';
import { JobsFileV1 } from './jobs-file-v1.ts';

/** A jobs file (relative to `cwd`), and the backend of jobs that name none. */
export interface JobsFileRequest {
  readonly path: string;
  readonly cwd: string;
  readonly backend: BackendKind;
}

interface JobsFile {
  readonly $schema?: string | undefined;
  readonly schemaVersion: '1.0';
  readonly jobs: readonly {
    readonly promptPath: string;
    readonly backend?: BackendKind | undefined;
    /** Whose job a v1 prompt is, where its metadata don't say. */
    readonly workerId?: string | undefined;
  }[];
}

const codec: DocumentCodec<JobsFile> = defineDocument<JobsFile>({
  name: 'jobs file',
  version: '1.0',
  schema: JobsFileV1,
});

/**
 * A plan from a jobs file: prompts with their metadata beside them; paths are relative to the file. JOBS_FILE_INVALID where a
 * person has to mend it, DOCUMENT_MISSING, DOCUMENT_NEWER_VERSION; else as `buildPlan`.
 */
export async function planJobsFile(context: DispatchContext, request: JobsFileRequest): Promise<DispatchPlan> {
  const requests = await requestsOf(request);
  return buildPlan({ manifest: context.manifest, requests, backends: context.backends });
}

/**
 * The jobs of a file whose prompts are all of v1, which a person has allowed to go unaudited (ID-1); undefined where all are of v2.
 * Throws as `planJobsFile`, `generationOf` and `planUnaudited`.
 */
export async function planUnauditedFile(
  context: DispatchContext,
  request: JobsFileRequest,
): Promise<readonly UnauditedJob[] | undefined> {
  const requests = await requestsOf(request);
  const generation = await generationOf(requests.map(({ promptPath }) => promptPath));
  return generation === 'v1' ? planUnaudited(context, requests) : undefined;
}

async function requestsOf(request: JobsFileRequest): Promise<readonly UnauditedRequest[]> {
  const path = resolve(request.cwd, request.path);
  const { jobs } = await readJobsFile(path);
  return jobs.map(({ promptPath, backend, workerId }) => ({
    promptPath: resolve(dirname(path), promptPath),
    backend: backend ?? request.backend,
    workerId: workerId === undefined ? undefined : parseWorkerId(workerId, path),
  }));
}

/** A person's own file: nothing is put beside it when it can't be used. */
async function readJobsFile(path: string): Promise<JobsFile> {
  try {
    return await requireDocument(path, codec, { keepDamaged: false });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'DOCUMENT_DAMAGED') throw error;
    const where = error.issues?.map((issue) => `${issue.path} ${issue.message}`).join('; ') ?? error.message;
    throw new RunError('JOBS_FILE_INVALID', `the jobs file can't be used: ${where}`, {
      path,
      hint: 'it is {"schemaVersion":"1.0","jobs":[{"promptPath":"…"}]}',
      cause: error,
    });
  }
}
