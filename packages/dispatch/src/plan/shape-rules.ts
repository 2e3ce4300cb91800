import { type BackendKind, type RunManifest, roleExecutionsOfWorker } from '@bailiwick/dispatch-state';
import { type Audience, audienceOfRole, type WorkerId } from '@bailiwick/execution-identity';
import { DispatchError } from '../errors.ts';

/** All of a job that decides what it may be dispatched with. */
export interface JobShape {
  readonly workerId: WorkerId;
  readonly audience: Audience;
  readonly backend: BackendKind;
}

/** What may be dispatched together (PL-2, PL-3, BA-5). Checked at planning and again at every public entry (PL-4). */
export function checkBatchShape(jobs: readonly JobShape[], backends: ReadonlyMap<BackendKind, unknown>): void {
  if (jobs.length === 0)
    throw new DispatchError('ROSTER_EMPTY', 'the plan holds no job', { hint: 'name workers with --workers' });
  refuseRepeats(jobs);
  refuseReportWriterInCompany(jobs);
  refuseTranslatorInCompany(jobs);
  refuseImplementerWithVerifier(jobs);
  refuseUnknownBackends(jobs, backends);
}

/** The shapes that a roster's workers would have, known from the manifest before any prompt exists. */
export function rosterShape(
  manifest: RunManifest,
  workerIds: readonly WorkerId[],
  backend: BackendKind,
): readonly JobShape[] {
  return workerIds.flatMap((workerId) =>
    roleExecutionsOfWorker(manifest, workerId).map((row) => ({
      workerId,
      audience: audienceOfRole(row.role),
      backend,
    })),
  );
}

function refuseRepeats(jobs: readonly JobShape[]): void {
  const ids = jobs.map((job) => job.workerId);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0)
    throw new DispatchError('WORKER_TWICE', `named twice in one batch: ${twice.join(', ')}`, { names: twice });
}

function refuseReportWriterInCompany(jobs: readonly JobShape[]): void {
  if (jobs.length === 1 || !jobs.some((job) => job.audience === 'report-writer')) return;
  const others = jobs.filter((job) => job.audience !== 'report-writer').map((job) => job.workerId);
  throw new DispatchError(
    'REPORT_WRITER_NOT_ALONE',
    `the report writer is dispatched alone, not with ${others.join(', ')}`,
    {
      names: others,
      hint: 'settle the others with `bailiwick team await`, then dispatch the report writer by itself',
    },
  );
}

function refuseTranslatorInCompany(jobs: readonly JobShape[]): void {
  if (jobs.length === 1 || !jobs.some((job) => job.audience === 'translator')) return;
  const others = jobs.filter((job) => job.audience !== 'translator').map((job) => job.workerId);
  throw new DispatchError('TRANSLATOR_NOT_ALONE', `a translator is dispatched alone, not with ${others.join(', ')}`, {
    names: others,
    hint: '`bailiwick team dispatch --workers translator` once the report is there',
  });
}

function refuseImplementerWithVerifier(jobs: readonly JobShape[]): void {
  const implementers = workersOf(jobs, 'implementation-executor');
  const verifiers = workersOf(jobs, 'implementation-verifier');
  if (implementers.length === 0 || verifiers.length === 0) return;
  throw new DispatchError(
    'IMPLEMENTER_WITH_VERIFIER',
    `one batch can't hold the ${named('implementer', implementers)} and the ${named('verifier', verifiers)}: a verifier must see the finished change`,
    {
      names: [...implementers, ...verifiers],
      hint:
        `dispatch ${implementers.join(',')} alone, run \`bailiwick team await\`, then \`bailiwick team dispatch --workers ${verifiers.join(',')}\`; ` +
        `that list must omit ${implementers.join(', ')}, which would be the implementer again`,
    },
  );
}

function refuseUnknownBackends(jobs: readonly JobShape[], backends: ReadonlyMap<BackendKind, unknown>): void {
  const unknown = jobs.filter((job) => !backends.has(job.backend));
  if (unknown.length === 0) return;
  throw new DispatchError(
    'BACKEND_UNSUPPORTED',
    `no backend "${unknown[0]?.backend}" here, wanted by ${unknown.map((job) => job.workerId).join(', ')}`,
    { hint: `known here: ${[...backends.keys()].join(', ')}` },
  );
}

function workersOf(jobs: readonly JobShape[], audience: string): readonly string[] {
  return jobs.filter((job) => job.audience === audience).map((job) => job.workerId);
}

function named(role: string, workerIds: readonly string[]): string {
  return `${role}${workerIds.length > 1 ? 's' : ''} ${workerIds.join(', ')}`;
}
