import type { AttemptAddress } from '@bailiwick/backend-contract';
import { batchLockPathOf, type DispatchRecord, type StatusSidecar } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';

/** How a backend finds an attempt: from its record, and from what its sidecar last said. */
export function addressOf(
  context: DispatchContext,
  record: Pick<DispatchRecord, 'batchId' | 'dispatchId' | 'statusSidecarPath'>,
  sidecar: StatusSidecar | undefined,
): AttemptAddress {
  return {
    batchId: record.batchId,
    dispatchId: record.dispatchId,
    sidecarPath: record.statusSidecarPath,
    liveLockPath: batchLockPathOf(context.layout, record.batchId, 'live'),
    socketPath: sidecar?.socketPath ?? null,
    process: sidecar?.process ?? null,
  };
}
