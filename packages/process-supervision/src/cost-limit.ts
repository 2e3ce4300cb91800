import { type CostLimitOrder, costInSidecars, costStop } from '@bailiwick/dispatch-state';

/** Why no further job of a batch is to be started, as who stopped it; undefined while one may. */
export async function costStopOf(limit: CostLimitOrder | undefined): Promise<string | undefined> {
  if (limit === undefined) return undefined;
  const { maxUsd, spentUsd, sidecarPaths } = limit;
  return costStop(spentUsd + (await costInSidecars(sidecarPaths)), maxUsd);
}
