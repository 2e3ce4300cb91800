import type { DocumentIssue } from '@bailiwick/durable-files';
import type { ParticipantRef, RoleExecutionRef, WorkerId } from '@bailiwick/execution-identity';
import type { Participant, RoleExecution, RunManifest } from './model/run-manifest.ts';

/** What a schema can't say of a run manifest: refs are unique and lead somewhere, and its places agree. */
export function manifestIssues(manifest: RunManifest): readonly DocumentIssue[] {
  const { participants, roleExecutions, recommendedWorkers } = manifest;
  return [
    ...repeated(
      participants,
      (row) => row.participantRef,
      (at) => `/participants/${at}/participantRef`,
    ),
    ...repeated(
      participants,
      (row) => row.workerId,
      (at) => `/participants/${at}/workerId`,
    ),
    ...repeated(
      roleExecutions,
      (row) => row.roleExecutionRef,
      (at) => `/roleExecutions/${at}/roleExecutionRef`,
    ),
    ...repeated(
      roleExecutions,
      (row) => row.executionLabel,
      (at) => `/roleExecutions/${at}/executionLabel`,
    ),
    ...repeated(
      recommendedWorkers,
      (workerId) => workerId,
      (at) => `/recommendedWorkers/${at}`,
    ),
    ...danglingParticipants(manifest),
    ...unknownRecommendations(manifest),
    ...placeIssues(manifest),
  ];
}

/** The role execution that a ref names, or undefined. */
export function findRoleExecution(manifest: RunManifest, ref: RoleExecutionRef): RoleExecution | undefined {
  return manifest.roleExecutions.find((row) => row.roleExecutionRef === ref);
}

/** The participant that a ref names, or undefined. */
export function findParticipant(manifest: RunManifest, ref: ParticipantRef): Participant | undefined {
  return manifest.participants.find((row) => row.participantRef === ref);
}

/** A worker's role executions, in the manifest's order; none for a worker that the run doesn't have. */
export function roleExecutionsOfWorker(manifest: RunManifest, workerId: WorkerId): readonly RoleExecution[] {
  const refs = new Set(
    manifest.participants.filter((row) => row.workerId === workerId).map((row) => row.participantRef),
  );
  return manifest.roleExecutions.filter((row) => refs.has(row.participantRef));
}

/** Where the workers of a run start, absolute: its own worktree, else the project (WP-9). */
export function workTreeOf(manifest: RunManifest): string {
  return manifest.worktree ?? manifest.projectRoot;
}

function repeated<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  pathAt: (index: number) => string,
): readonly DocumentIssue[] {
  const seen = new Set<string>();
  return rows.flatMap((row, index) => {
    const key = keyOf(row);
    if (seen.has(key)) return [{ path: pathAt(index), message: `"${key}" stands twice` }];
    seen.add(key);
    return [];
  });
}

function danglingParticipants(manifest: RunManifest): readonly DocumentIssue[] {
  const known = new Set(manifest.participants.map((row) => row.participantRef));
  return manifest.roleExecutions.flatMap((row, index) =>
    known.has(row.participantRef)
      ? []
      : [{ path: `/roleExecutions/${index}/participantRef`, message: `no participant "${row.participantRef}"` }],
  );
}

function unknownRecommendations(manifest: RunManifest): readonly DocumentIssue[] {
  const known = new Set(manifest.participants.map((row) => row.workerId));
  return manifest.recommendedWorkers.flatMap((workerId, index) =>
    known.has(workerId)
      ? []
      : [{ path: `/recommendedWorkers/${index}`, message: `no participant has worker "${workerId}"` }],
  );
}

/** A worktree of its own has a path, a branch and a commit to start from; a shared tree has neither path nor branch. */
function placeIssues(manifest: RunManifest): readonly DocumentIssue[] {
  if (manifest.isolation === 'worktree')
    return (['worktree', 'branch', 'baseCommit'] as const)
      .filter((field) => manifest[field] === null)
      .map((field) => ({ path: `/${field}`, message: 'is null although isolation is "worktree"' }));
  return (['worktree', 'branch'] as const)
    .filter((field) => manifest[field] !== null)
    .map((field) => ({ path: `/${field}`, message: `stands although isolation is "${manifest.isolation}"` }));
}
