import type { BackendKind, RunManifest } from '@bailiwick/dispatch-state';
import { type WorkerId, workerOf } from '@bailiwick/execution-identity';
import { DispatchError } from '../errors.ts';
import { mapSeveral } from '../several-at-once.ts';
import type { DispatchPlan } from './job.ts';
import { identityOf, type JobRequest, readJob, readMetadata } from './read-job.ts';
import { checkBatchShape, type JobShape } from './shape-rules.ts';

/** The workers of a roster that a command takes: all that the manifest recommends, or those that are named (PL-1). */
export function selectWorkers(manifest: RunManifest, named: readonly string[]): readonly WorkerId[] {
  if (manifest.recommendedWorkers.length === 0)
    throw new DispatchError('ROSTER_EMPTY', `run ${manifest.runId} recommends no workers`, {
      hint: 'its manifest has an empty `recommendedWorkers`; name a jobs file with --jobs instead',
    });
  const unknown = named.filter((id) => !manifest.recommendedWorkers.some((workerId) => workerId === id));
  if (unknown.length > 0)
    throw new DispatchError('WORKER_UNKNOWN', `not in the roster of run ${manifest.runId}: ${unknown.join(', ')}`, {
      names: unknown,
      hint: `workers of its roster: ${manifest.recommendedWorkers.join(', ')}`,
    });
  if (named.length === 0) return manifest.recommendedWorkers;
  return manifest.recommendedWorkers.filter((id) => named.includes(id));
}

/** A plan from prompts. Shape is checked before any prompt is opened, so that a doomed batch isn't reported as a prompt error (PL-4). */
export async function buildPlan(o: {
  readonly manifest: RunManifest;
  readonly requests: readonly JobRequest[];
  readonly backends: ReadonlyMap<BackendKind, unknown>;
  readonly skipped?: DispatchPlan['skipped'];
}): Promise<DispatchPlan> {
  const { known, failures } = await readShapes(o.manifest, o.requests);
  // Those whose metadata can't be read would not mend the shape of the others.
  if (failures.length === 0 || known.length > 0) checkBatchShape(known, o.backends);
  for (const failure of failures) throw failure;
  const jobs = await mapSeveral(o.requests, (request) => readJob(o.manifest, request));
  return { jobs, skipped: o.skipped ?? [] };
}

/** The shapes that can be told, and why the others can't, both in the order of the requests. */
async function readShapes(
  manifest: RunManifest,
  requests: readonly JobRequest[],
): Promise<{ readonly known: readonly JobShape[]; readonly failures: readonly unknown[] }> {
  const read = await mapSeveral(requests, (request) =>
    readShape(manifest, request).then(
      (shape) => ({ shape }),
      (failure: unknown) => ({ failure }),
    ),
  );
  return {
    known: read.flatMap((one) => ('shape' in one ? [one.shape] : [])),
    failures: read.flatMap((one) => ('failure' in one ? [one.failure] : [])),
  };
}

async function readShape(manifest: RunManifest, request: JobRequest): Promise<JobShape> {
  const { metadata } = await readMetadata(request.promptPath);
  const workerId = workerOf({ generation: 'v2', ...identityOf(metadata) }, manifest);
  return { workerId, audience: metadata.audience, backend: request.backend };
}
