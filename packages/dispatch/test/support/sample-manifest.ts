import {
  type AssignmentEnvironment,
  createModelPool,
  hostOf,
  resolveAssignment,
  shippedModelPool,
} from '@bailiwick/assignment-resolution';
import { layoutOfRun, type RoleExecution, type RunManifest } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import {
  parseExecutionLabel,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseRunId,
  parseTaskKey,
  parseWorkerId,
  type Role,
} from '@bailiwick/execution-identity';

export const POOL = createModelPool(shippedModelPool());

export const ENVIRONMENT: AssignmentEnvironment = {
  host: hostOf({ leadRuntime: 'terminal', terminalBackend: 'none' }),
  providers: new Map(
    ['claude', 'codex', 'gemini'].map((providerId) => [providerId, { providerId, installed: true, supported: true }]),
  ),
};

const SEATS: readonly (readonly [name: string, role: Role, ordinal: number, modelRef: string])[] = [
  ['implementer', 'implementer', 1, 'claude/sonnet'],
  ['verifier-1', 'verifier', 1, 'codex/gpt-5.5'],
  ['verifier-2', 'verifier', 2, 'claude/opus'],
  ['report-writer', 'report-writer', 1, 'gemini/gemini-2.5-pro'],
];

/** A run of four workers on three agent CLIs in one tree. */
export function sampleManifest(
  projectRoot: string,
  stateRoot: string,
  changes: Partial<RunManifest> = {},
): RunManifest {
  const runId = parseRunId('r-20261129-161800-4f9a2c');
  const layout = layoutOfRun(stateRoot, runId);
  const roleExecutions = SEATS.map(rowOf);
  return {
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    runId,
    taskKey: parseTaskKey('shop/task/fix-cart'),
    createdAt: '2026-11-29T16:18:00.000Z',
    leadRuntime: 'terminal',
    terminalBackend: 'none',
    runDirectoryPath: layout.runDirectory,
    activeRunContextPath: `${layout.runDirectory}/run-context.json`,
    recommendedWorkers: SEATS.map(([name]) => parseWorkerId(name)),
    participants: roleExecutions.map(({ participantRef, executionLabel, provider }) => ({
      participantRef,
      workerId: parseWorkerId(executionLabel),
      provider,
    })),
    roleExecutions,
    invocationAssignments: {},
    agentContract: { invocationReservationRootPath: layout.reservationsFolder },
    plan: { paths: [] },
    projectRoot,
    isolation: 'tree',
    worktree: null,
    baseCommit: null,
    branch: null,
    taskPath: `${layout.runDirectory}/task.md`,
    taskDigest: digestOfBytes('# Fix the cart\n'),
    limits: { hardMs: 60_000, idleMs: 30_000, graceMs: 1_000 },
    ignored: 'free',
    scratch: [],
    git: 'none',
    ...changes,
  };
}

function rowOf([name, role, ordinal, modelRef]: (typeof SEATS)[number]): RoleExecution {
  const assignment = resolveAssignment({ role, ordinal, modelRef, pool: POOL, environment: ENVIRONMENT });
  return {
    roleExecutionRef: parseRoleExecutionRef(`role.${name}`),
    participantRef: parseParticipantRef(`participant.${name}`),
    executionLabel: parseExecutionLabel(name),
    role,
    ordinal,
    provider: assignment.providerId,
    modelRef: assignment.modelRef,
    modelId: assignment.modelId,
    modelSpecDigest: assignment.modelSpecDigest,
    binding: assignment.binding,
  };
}
