import {
  type AssignmentEnvironment,
  type AssignmentError,
  type AssignmentErrorCode,
  createModelPool,
  hostOf,
  isAssignmentError,
  type ModelPool,
  type ProviderInstallation,
  type RoleExecutionBinding,
  resolveAssignment,
} from '../src/index.ts';

/** A binding as a pool row has it. */
export function binding(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    hostId: 'terminal',
    runner: 'cli-wrapper',
    resolvedExecutionValue: 'acme-large',
    hostModelValue: null,
    workerWriteCapability: { maxBoundaryPrecision: 'directory' },
    ...fields,
  };
}

/** A pinned row of an invented agent CLI. */
export function row(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    modelRef: 'acme/large@1',
    providerId: 'acme',
    modelId: 'acme-large-1',
    versionKind: 'pinned',
    channelFamily: 'large',
    aliases: [],
    bindings: [binding()],
    ...fields,
  };
}

/** A channel row of the same family. */
export function channelRow(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return row({ modelRef: 'acme/large', modelId: 'acme-large', versionKind: 'channel', ...fields });
}

export function installed(...providerIds: readonly string[]): ReadonlyMap<string, ProviderInstallation> {
  return new Map(providerIds.map((providerId) => [providerId, { providerId, installed: true, supported: true }]));
}

export function environment(fields: Partial<AssignmentEnvironment> = {}): AssignmentEnvironment {
  const host = hostOf({ leadRuntime: 'terminal', terminalBackend: 'none' });
  return { host, providers: installed('acme'), ...fields };
}

export const job = { roleExecutionRef: 'role-1', participantRef: 'part-1', executionLabel: 'acme large' };

/** What a run would have stored for `job` from this pool. */
export function storedBinding(pool: ModelPool, modelRef = 'acme/large@1'): RoleExecutionBinding {
  const bound = resolveAssignment({ role: 'implementer', ordinal: 1, modelRef, pool, environment: environment() });
  const { role, ordinal, providerId, modelId, modelSpecDigest, binding: chosen } = bound;
  return {
    ...job,
    role,
    ordinal,
    provider: providerId,
    modelRef: bound.modelRef,
    modelId,
    modelSpecDigest,
    binding: chosen,
  };
}

export function poolOf(...rows: readonly unknown[]): ModelPool {
  return createModelPool(rows);
}

/** The error that `act` throws, which must be coded so. */
export function errorOf(code: AssignmentErrorCode, act: () => unknown): AssignmentError {
  try {
    act();
  } catch (error) {
    if (isAssignmentError(error) && error.code === code) return error;
    throw error;
  }
  throw new Error(`expected ${code}, and nothing was thrown`);
}
