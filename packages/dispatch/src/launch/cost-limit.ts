import { costStop, readRunCost } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';

/** Why nothing more of the run may be launched, or undefined. Reads no record where there is no limit. */
export async function costStopOfRun({ layout, maxCostUsd }: DispatchContext): Promise<string | undefined> {
  if (maxCostUsd === undefined) return undefined;
  return costStop((await readRunCost(layout)).knownUsd, maxCostUsd);
}

/**
 * Refuses to launch anything once what the run is known to have cost comes to its limit. What an agent doesn't say counts for nothing.
 *
 * @throws DispatchError COST_LIMIT_REACHED
 */
export async function refuseAboveCost(context: DispatchContext): Promise<void> {
  const reached = await costStopOfRun(context);
  if (reached === undefined) return;
  throw new DispatchError('COST_LIMIT_REACHED', `nothing more is launched because of ${reached}`, {
    hint: 'what ran is settled; raise the limit with --max-cost, or maxCostUsd in the config, and `bailiwick run resume`',
  });
}
