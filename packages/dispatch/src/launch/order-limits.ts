import { readRunCost, type SupervisionOrder } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';

/** What holds back jobs of an order: places, places of one provider, and what the run may still cost. */
export async function orderLimitsOf(
  context: DispatchContext,
  records: readonly { readonly statusSidecarPath: string }[],
): Promise<Pick<SupervisionOrder, 'maxConcurrent' | 'providerLimits' | 'costLimit'>> {
  const { maxConcurrent, maxCostUsd: maxUsd } = context;
  const byProvider = Object.entries(context.maxConcurrentByProvider ?? {});
  const providerLimits = byProvider.map(([provider, most]) => ({ provider, maxConcurrent: most }));
  return {
    maxConcurrent,
    ...(providerLimits.length === 0 ? {} : { providerLimits }),
    ...(maxUsd === undefined ? {} : { costLimit: await costLimitOf(context, { maxUsd, records }) }),
  };
}

async function costLimitOf(
  { layout }: DispatchContext,
  o: { readonly maxUsd: number; readonly records: readonly { readonly statusSidecarPath: string }[] },
): Promise<NonNullable<SupervisionOrder['costLimit']>> {
  const { knownUsd } = await readRunCost(layout);
  return {
    maxUsd: o.maxUsd,
    spentUsd: knownUsd === 'unknown' ? 0 : knownUsd,
    sidecarPaths: o.records.map(({ statusSidecarPath }) => statusSidecarPath),
  };
}
