import { findProvider } from '@bailiwick/agent-providers';
import { requireReachableSource } from '@bailiwick/assignment-resolution';
import type { DispatchContext } from '../context.ts';
import { checkModelServers, isServed } from '../launch/model-server.ts';
import type { WorkerJob } from './job.ts';

/**
 * Refuses, before the start, a job whose model server can't be used, or whose provider can't show its served model from
 * the source that the run demands (AR-10).
 */
export function checkModelSources(context: DispatchContext, jobs: readonly Pick<WorkerJob, 'roleExecution'>[]): void {
  checkModelServers(context, jobs);
  const minimumSource = context.minimumModelSource ?? null;
  if (minimumSource === null) return;
  for (const { roleExecution } of jobs) {
    const { id: providerId, servedModelSource: ownSource } = findProvider(roleExecution.provider);
    requireReachableSource({ providerId, ownSource, gateway: isServed(context, providerId), minimumSource });
  }
}
