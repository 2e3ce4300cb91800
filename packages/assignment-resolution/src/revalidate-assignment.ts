import { AssignmentError, AssignmentErrorCode, type FieldChange, isAssignmentError } from './errors.ts';
import type {
  Assignment,
  AssignmentEnvironment,
  Binding,
  JobRoleExecution,
  RevalidatedBinding,
  RoleExecutionBinding,
} from './model.ts';
import type { ModelPool } from './pool/model-pool.ts';
import { requireDispatchable, resolveAssignment } from './resolve-assignment.ts';

/** A job, and everything that its binding is computed anew from. */
export interface RevalidateOptions {
  /** What the job says of itself. */
  readonly job: JobRoleExecution;
  /** The manifest's role executions, as the file has them now. */
  readonly roleExecutions: readonly RoleExecutionBinding[];
  /** Where its model is looked up again. */
  readonly pool: ModelPool;
  /** From the manifest's lead runtime and terminal backend, through {@link hostOf}. */
  readonly environment: AssignmentEnvironment;
}

/**
 * Proves that what a job was bound to still stands (AR-3): its role execution, participant and label are there and
 * equal, and resolving its model again gives the stored provider, model id, binding and digest. Judges one pool row and
 * one provider's installation (AR-4).
 *
 * @throws AssignmentError BINDING_NO_LONGER_STANDS with `details.changed` (old and new), `details.unbound`, or the
 *   failure to resolve as `cause`; RUNNER_NOT_DISPATCHABLE for a binding that stands but isn't a cli-wrapper's (AR-5)
 */
export function revalidateAssignment(options: RevalidateOptions): RevalidatedBinding {
  const { job } = options;
  const stored = storedFor(job, options.roleExecutions);
  const bound = requireBound(stored);
  const assignment = resolveAgain(bound, options);
  const changed = changesBetween(bound, assignment);
  if (changed.length > 0) throw changedError(job, changed);
  requireDispatchable(assignment);
  const { roleExecutionRef, participantRef, executionLabel } = job;
  // The brand's one maker: every check above has passed.
  return { ...assignment, roleExecutionRef, participantRef, executionLabel } as RevalidatedBinding;
}

/**
 * Runs `use` with the revalidated binding, and only after it has passed (AR-6). What `use` returns or throws is passed on.
 *
 * @throws AssignmentError as {@link revalidateAssignment}
 */
export function withRevalidated<T>(options: RevalidateOptions, use: (binding: RevalidatedBinding) => T): T {
  return use(revalidateAssignment(options));
}

interface Bound {
  readonly stored: RoleExecutionBinding;
  readonly modelRef: string;
  readonly modelId: string;
  readonly modelSpecDigest: string;
  readonly binding: Binding;
}

function storedFor(job: JobRoleExecution, rows: readonly RoleExecutionBinding[]): RoleExecutionBinding {
  const [stored, another] = rows.filter((row) => row.roleExecutionRef === job.roleExecutionRef);
  if (stored === undefined) {
    throw changedError(job, [{ field: 'roleExecutionRef', old: job.roleExecutionRef, new: null }]);
  }
  if (another !== undefined) {
    throw noLongerStands(job, 'the manifest names it more than once', { changed: [] });
  }
  const changed = (['participantRef', 'executionLabel'] as const)
    .filter((field) => stored[field] !== job[field])
    .map((field) => ({ field, old: job[field], new: stored[field] }));
  if (changed.length > 0) throw changedError(job, changed);
  return stored;
}

function requireBound(stored: RoleExecutionBinding): Bound {
  const { modelRef, modelId, modelSpecDigest, binding } = stored;
  if (isThere(modelRef) && isThere(modelId) && isThere(modelSpecDigest) && isThere(binding)) {
    return { stored, modelRef, modelId, modelSpecDigest, binding };
  }
  const fields = { modelRef, modelId, modelSpecDigest, binding };
  const unbound = Object.entries(fields).flatMap(([field, value]) => (isThere(value) ? [] : [field]));
  throw noLongerStands(stored, `it is unbound: no ${unbound.join(', ')}`, { changed: [], unbound });
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined && value !== '';
}

function resolveAgain(bound: Bound, options: RevalidateOptions): Assignment {
  const { stored, modelRef } = bound;
  const { pool, environment } = options;
  try {
    // By its exact ref, never by alias: an alias may have moved since.
    pool.entry(modelRef);
    return resolveAssignment({ role: stored.role, ordinal: stored.ordinal, modelRef, pool, environment });
  } catch (cause) {
    if (!isAssignmentError(cause)) throw cause;
    throw noLongerStands(stored, cause.message, { changed: [], modelRef }, cause);
  }
}

function changesBetween(bound: Bound, now: Assignment): readonly FieldChange[] {
  const { stored, modelId, binding, modelSpecDigest } = bound;
  const old = leavesOf({ provider: stored.provider, modelId, binding, modelSpecDigest });
  const fresh = leavesOf({
    provider: now.providerId,
    modelId: now.modelId,
    binding: now.binding,
    modelSpecDigest: now.modelSpecDigest,
  });
  const fields = [...new Set([...old.keys(), ...fresh.keys()])];
  return fields
    .filter((field) => old.has(field) !== fresh.has(field) || old.get(field) !== fresh.get(field))
    .map((field) => ({ field, old: old.get(field) ?? null, new: fresh.get(field) ?? null }));
}

/** Every plain value under its dotted name; `null` is a value too. */
function leavesOf(value: object): ReadonlyMap<string, unknown> {
  const leaves = Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    if (typeof inner !== 'object' || inner === null) return [[key, inner]];
    return [...leavesOf(inner)].map(([field, leaf]) => [`${key}.${field}`, leaf]);
  });
  return new Map(leaves);
}

function changedError(row: JobRoleExecution, changed: readonly FieldChange[]): AssignmentError {
  const list = changed.map(({ field, old, new: now }) => `${field} was ${text(old)} and is ${text(now)}`);
  return noLongerStands(row, list.join('; '), { changed });
}

function text(value: unknown): string {
  return value === null ? 'gone' : JSON.stringify(value);
}

function noLongerStands(
  row: JobRoleExecution,
  why: string,
  details: { changed: readonly FieldChange[]; unbound?: readonly string[]; modelRef?: string },
  cause?: unknown,
): AssignmentError {
  return new AssignmentError(
    AssignmentErrorCode.bindingNoLongerStands,
    `The stored model binding of role execution ${row.roleExecutionRef} (${row.executionLabel}) no longer stands: ${why}`,
    {
      details: { roleExecutionRef: row.roleExecutionRef, ...details },
      hint: 'Undo that change, or make a new run with the models as they are now.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
