import type { StatusSidecar } from '@bailiwick/dispatch-state';
import { startingSidecar } from '@bailiwick/process-supervision';

/** What a supervisor says of a worker. */
export function sidecarOf(
  dispatchId: StatusSidecar['dispatchId'],
  changes: Partial<StatusSidecar> = {},
): StatusSidecar {
  return {
    ...startingSidecar({ dispatchId, supervisorVersion: '0.0.0', socketPath: null }, null),
    stage: 'running',
    startedAt: '2026-11-29T16:18:01.000Z',
    updatedAt: '2026-11-29T16:18:02.000Z',
    ...changes,
  };
}
