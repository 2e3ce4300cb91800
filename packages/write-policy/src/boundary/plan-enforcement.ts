import { WritePolicyError } from '../errors.ts';
import type {
  Boundary,
  BoundaryPrecision,
  KeyIsolation,
  ThrowAwayLayer,
  WriteEnforcement,
  WritePolicy,
} from '../model.ts';
import { coarser, isSufficient } from '../policy/asked-precision.ts';
import { compileBoundary } from './compile-boundary.ts';
import type { GitCommitFacts } from './git-commit-places.ts';
import { disjointWriteRoots } from './write-roots.ts';

export interface EnforcementRequest {
  readonly policy: WritePolicy;
  /** The write capability of the selected binding; null: its runner holds nothing, and never runs a v2 job (WP-6). */
  readonly capability: { readonly maxBoundaryPrecision: BoundaryPrecision } | null;
  /** What passed its self-test on this machine, and the precision that it proved. */
  readonly boundary: Boundary;
  readonly boundaryPrecision: BoundaryPrecision;
  /** Default `none`. */
  readonly keyIsolation?: KeyIsolation;
  /** Policies of all that may be alive at the same time: a call is confined only if none of them shares its roots. */
  readonly others?: readonly WritePolicy[];
  /** For a policy that may commit: what that opens is listed in `wider`. */
  readonly git?: GitCommitFacts;
  /** What will lie over the worktree; only under bubblewrap. */
  readonly layer?: ThrowAwayLayer;
}

/**
 * What will really be in force (WP-5). The precision is the coarsest of what the policy asks, the runner takes and the
 * boundary proved. The audit is by `call`, over the write roots alone, only where bubblewrap holds all that the policy
 * asks, git is left alone and nobody else can write there; in every other case by `batch`, over the tree. Without a boundary `wider` is
 * empty: there is nothing that it could be wider than.
 *
 * @throws WritePolicyError CAPABILITY_MISSING
 */
export function planEnforcement(request: EnforcementRequest): WriteEnforcement {
  const { policy } = request;
  const boundaryPrecision = precisionInForce(request);
  const confined = boundaryPrecision !== 'none' && isConfined(request, boundaryPrecision);
  const inForce = boundaryPrecision === 'none' ? 'none' : request.boundary;
  const layer = inForce === 'bubblewrap' ? request.layer : undefined;
  const git = request.git === undefined ? {} : { git: request.git };
  const options = { precision: boundaryPrecision, layer: layer !== undefined, ...git };
  return {
    boundaryPrecision,
    mutationAudit: confined ? 'call' : 'batch',
    boundary: inForce,
    wider: inForce === 'none' ? [] : compileBoundary(policy, options).wider,
    keyIsolation: request.keyIsolation ?? 'none',
    scope: confined ? 'write-roots' : 'tree',
    ...(layer === undefined ? {} : { layer }),
  };
}

function precisionInForce({ policy, capability, boundary, boundaryPrecision }: EnforcementRequest): BoundaryPrecision {
  if (capability === null) {
    throw new WritePolicyError(
      'CAPABILITY_MISSING',
      `the binding for ${policy.role} says nothing of where its runner may write`,
      {
        hint: 'choose a model whose binding has a workerWriteCapability',
      },
    );
  }
  const held = boundary === 'none' ? 'none' : boundaryPrecision;
  return coarser(policy.maximumBoundaryPrecision, capability.maxBoundaryPrecision, held);
}

function isConfined({ policy, boundary, layer, others = [] }: EnforcementRequest, held: BoundaryPrecision): boolean {
  if (boundary !== 'bubblewrap' || !isSufficient(held, policy.maximumBoundaryPrecision)) return false;
  return (
    policy.git === 'none' && others.every((other) => disjointWriteRoots(policy, other, { layer: layer !== undefined }))
  );
}
