import { findProvider } from '@bailiwick/agent-providers';
import { requireReachableSource } from '@bailiwick/assignment-resolution';
import type { DispatchContext } from '../context.ts';
import type { WorkerJob } from './job.ts';

/** Refuses, before the start, a job whose provider can't show its served model from the source that the run demands (AR-10). */
export function checkModelSources(context: DispatchContext, jobs: readonly WorkerJob[]): void {
  const minimumSource = context.minimumModelSource ?? null;
  if (minimumSource === null) return;
  for (const { roleExecution } of jobs) {
    const { id: providerId, servedModelSource: ownSource } = findProvider(roleExecution.provider);
    requireReachableSource({ providerId, ownSource, gateway: false, minimumSource });
  }
}
