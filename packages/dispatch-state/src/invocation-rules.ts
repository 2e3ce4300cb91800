import type { DocumentIssue } from '@bailiwick/durable-files';
import { roundOfDispatchKind } from '@bailiwick/execution-identity';
import type { Invocation } from './model/invocation.ts';

/**
 * What a schema can't say of an invocation: its round is its kind's (ID-8). Whether the contract's digest still matches is asked
 * where the contract is loaded, since an attempt under a changed one has to be settled (WP-6).
 */
export function invocationIssues(invocation: Invocation): readonly DocumentIssue[] {
  const round = roundOfDispatchKind(invocation.dispatchKind);
  if (invocation.round === round) return [];
  return [{ path: '/round', message: `is not ${round}, the round of "${invocation.dispatchKind}"` }];
}
