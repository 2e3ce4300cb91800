import { AssignmentError, AssignmentErrorCode } from '../errors.ts';
import { AttestationSource } from '../model.ts';

/** What decides how closely an attempt's turns can be seen. */
export interface ReachOptions {
  /** The strongest source in which the agent CLI's every turn names its served model, from its provider's table. */
  readonly ownSource: AttestationSource;
  /** Whether a gateway of ours stands before its model API, which sees every turn on the wire. */
  readonly gateway: boolean;
}

const strengths: Readonly<Record<AttestationSource, number>> = { none: 0, transcript: 1, stream: 2, wire: 3 };

/** Negative when `a` is the weaker source, 0 when equal: none < transcript < stream < wire (AR-10). */
export function compareSources(a: AttestationSource, b: AttestationSource): number {
  return strengths[a] - strengths[b];
}

/** The strongest source that an attempt's turns can reach. */
export function reachableSource(reach: ReachOptions): AttestationSource {
  return reach.gateway ? AttestationSource.wire : reach.ownSource;
}

/**
 * Refuses, before anything starts, a provider that can't reach the source which a run demands (AR-10).
 *
 * @throws AssignmentError SERVED_MODEL_SOURCE_UNREACHABLE
 */
export function requireReachableSource(
  options: ReachOptions & { readonly providerId: string; readonly minimumSource: AttestationSource },
): void {
  const { providerId, minimumSource, gateway } = options;
  const reachable = reachableSource(options);
  if (compareSources(reachable, minimumSource) >= 0) return;
  throw new AssignmentError(
    AssignmentErrorCode.sourceUnreachable,
    `The run demands a served model seen from ${minimumSource}, and ${providerId} shows its own from ${reachable} at best`,
    {
      details: { providerId, minimumSource, reachableSource: reachable },
      hint: gateway
        ? 'Demand a weaker source.'
        : `Put the gateway before ${providerId}, choose another, or demand less.`,
    },
  );
}
