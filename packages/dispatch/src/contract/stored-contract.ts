import { type RunLayout, readInvocation } from '@bailiwick/dispatch-state';
import { loadContract, type WriteContract } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import type { WorkerJob } from '../plan/job.ts';

/** The stored contract of an invocation, digest checked; CONTRACT_MISSING where it was never stored (WP-6). */
export async function storedContract(
  context: DispatchContext,
  invocationRef: WorkerJob['metadata']['invocationRef'],
): Promise<WriteContract> {
  return storedContractIn(context.layout, invocationRef);
}

/** The same of a run that is named by where it lies. */
export async function storedContractIn(
  layout: RunLayout,
  invocationRef: WorkerJob['metadata']['invocationRef'],
): Promise<WriteContract> {
  const invocation = await readInvocation(layout, invocationRef);
  if (invocation !== undefined) return loadContract(invocation, invocationRef);
  throw new DispatchError('CONTRACT_MISSING', `invocation ${invocationRef} has no stored contract`, {
    path: layout.invocationsFolder,
    hint: 'an attempt without its contract is never launched and never settled as anything but an error',
  });
}
