import { dirname, resolve } from 'node:path';
import { buildPlan, type DispatchContext, type DispatchPlan } from '@bailiwick/dispatch';
import { BackendKind } from '@bailiwick/dispatch-state';
import { type DocumentCodec, defineDocument, requireDocument } from '@bailiwick/durable-files';
import { z } from 'zod';

export interface JobsFileRequest {
  readonly path: string;
  readonly cwd: string;
  readonly backend: BackendKind;
}

interface JobsFile {
  readonly schemaVersion: '1.0';
  readonly jobs: readonly { readonly promptPath: string; readonly backend?: BackendKind | undefined }[];
}

const JobsFileV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  jobs: z.array(z.strictObject({ promptPath: z.string().min(1), backend: z.enum(BackendKind).optional() })).min(1),
});

const codec: DocumentCodec<JobsFile> = defineDocument<JobsFile>({
  name: 'jobs file',
  version: '1.0',
  schema: JobsFileV1,
});

/** A plan from a jobs file: prompts with their metadata beside them; paths are relative to the file. */
export async function planJobsFile(context: DispatchContext, request: JobsFileRequest): Promise<DispatchPlan> {
  const path = resolve(request.cwd, request.path);
  const { jobs } = await requireDocument(path, codec);
  const requests = jobs.map((job) => ({
    promptPath: resolve(dirname(path), job.promptPath),
    backend: job.backend ?? request.backend,
  }));
  return buildPlan({ manifest: context.manifest, requests, backends: context.backends });
}
