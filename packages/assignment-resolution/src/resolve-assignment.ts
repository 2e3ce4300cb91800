import type { Role } from '@bailiwick/execution-identity';
import { CUSTOM_PROVIDER_ID } from './custom-agent.ts';
import { AssignmentError, AssignmentErrorCode } from './errors.ts';
import {
  type Assignment,
  type AssignmentEnvironment,
  type Binding,
  type ModelPoolEntry,
  type ProviderInstallation,
  Runner,
} from './model.ts';
import { modelSpecDigest } from './model-spec-digest.ts';
import type { ModelPool } from './pool/model-pool.ts';

/** A role instance, the model that it is to have, and where (AR-1). */
export interface ResolveOptions {
  /** What the model is to do. */
  readonly role: Role;
  /** Which of the run's role executions of that role it is, from 1. */
  readonly ordinal: number;
  /** A ref, or an alias that {@link ModelPool.resolve} takes. */
  readonly modelRef: string;
  /** Where the model is looked up; one row of it is judged. */
  readonly pool: ModelPool;
  /** Where it is to run. */
  readonly environment: AssignmentEnvironment;
}

/**
 * Binds a role instance to a model on this host (AR-1). Judges one pool row and one provider's installation.
 *
 * @throws AssignmentError MODEL_UNKNOWN, MODEL_AMBIGUOUS, MODEL_POOL_ROW_INVALID, ROLE_NOT_ALLOWED, MODEL_NOT_ON_HOST,
 *   NO_WORKER_BINDING, PROVIDER_NOT_INSTALLED, PROVIDER_UNSUPPORTED (AR-2)
 */
export function resolveAssignment(options: ResolveOptions): Assignment {
  const entry = options.pool.resolve(options.modelRef);
  requireRole(entry, options.role);
  const binding = selectBinding(entry, options.environment.host.hostId);
  requireProvider(entry, options.environment);
  return {
    role: options.role,
    ordinal: options.ordinal,
    modelRef: entry.modelRef,
    providerId: entry.providerId,
    modelId: entry.modelId,
    binding,
    modelSpecDigest: modelSpecDigest(entry, binding),
  };
}

/**
 * Passes cli-wrapper bindings; anything else is refused by name (AR-5).
 *
 * @throws AssignmentError RUNNER_NOT_DISPATCHABLE
 */
export function requireDispatchable(assignment: Pick<Assignment, 'modelRef' | 'binding'>): void {
  const { binding, modelRef } = assignment;
  if (binding.runner === Runner.cliWrapper) return;
  throw new AssignmentError(
    AssignmentErrorCode.runnerNotDispatchable,
    `${modelRef} is bound to the runner ${binding.runner} on host ${binding.hostId}; only ${Runner.cliWrapper} is dispatched`,
    {
      details: { modelRef, hostId: binding.hostId, runner: binding.runner },
      hint: `Choose a model that has a ${Runner.cliWrapper} binding on ${binding.hostId}.`,
    },
  );
}

function requireRole(entry: ModelPoolEntry, role: Role): void {
  if (entry.roles === undefined || entry.roles.includes(role)) return;
  throw new AssignmentError(
    AssignmentErrorCode.roleNotAllowed,
    `${entry.modelRef} may not be used as ${role}, only as ${entry.roles.join(', ')}`,
    {
      details: { modelRef: entry.modelRef, role, allowedRoles: entry.roles },
      hint: `Choose another model for ${role}, or add the role to the row's roles.`,
    },
  );
}

function selectBinding(entry: ModelPoolEntry, hostId: string): Binding {
  const onHost = entry.bindings.filter((binding) => binding.hostId === hostId);
  if (onHost.length === 0) throw notOnHost(entry, hostId);
  const workable = onHost.filter((binding) => binding.workerWriteCapability !== null);
  const chosen = workable.find((binding) => binding.runner === Runner.cliWrapper) ?? workable[0];
  if (chosen !== undefined) return chosen;
  throw new AssignmentError(
    AssignmentErrorCode.noWorkerBinding,
    `${entry.modelRef} has no binding on host ${hostId} through which a worker may write`,
    {
      details: { modelRef: entry.modelRef, hostId },
      hint: `Give a binding for ${hostId} a workerWriteCapability, or choose another model.`,
    },
  );
}

function notOnHost(entry: ModelPoolEntry, hostId: string): AssignmentError {
  const offeredHosts = [...new Set(entry.bindings.map((binding) => binding.hostId))];
  const where =
    offeredHosts.length === 0 ? 'on no host: it is only known as a served name' : `on ${offeredHosts.join(', ')}`;
  return new AssignmentError(
    AssignmentErrorCode.modelNotOnHost,
    `${entry.modelRef} is not offered on host ${hostId}; it is offered ${where}`,
    {
      details: { modelRef: entry.modelRef, hostId, offeredHosts },
      hint: `Choose another model, or add a binding for ${hostId} to the row.`,
    },
  );
}

function requireProvider(entry: ModelPoolEntry, environment: AssignmentEnvironment): void {
  const installation = installationFor(entry, environment);
  if (installation === undefined || !installation.installed) {
    throw providerError(AssignmentErrorCode.providerNotInstalled, entry, installation);
  }
  if (!installation.supported) throw providerError(AssignmentErrorCode.providerUnsupported, entry, installation);
}

/** A user's own agents share one provider id, so each may have an installation of its own under its ref. */
function installationFor(entry: ModelPoolEntry, environment: AssignmentEnvironment): ProviderInstallation | undefined {
  const { providers } = environment;
  const own = entry.providerId === CUSTOM_PROVIDER_ID ? providers.get(entry.modelRef) : undefined;
  return own ?? providers.get(entry.providerId);
}

function providerError(
  code: AssignmentErrorCode,
  entry: ModelPoolEntry,
  installation: ProviderInstallation | undefined,
): AssignmentError {
  const what =
    code === AssignmentErrorCode.providerNotInstalled ? 'is not installed' : 'is installed but not supported';
  const reason = installation?.reason === undefined ? '' : `: ${installation.reason}`;
  return new AssignmentError(
    code,
    `${entry.modelRef} needs the agent CLI ${entry.providerId}, which ${what}${reason}`,
    {
      details: {
        modelRef: entry.modelRef,
        providerId: entry.providerId,
        ...(installation === undefined ? {} : { installation }),
      },
      hint: `Install a supported ${entry.providerId}, or choose a model of another agent CLI.`,
    },
  );
}
