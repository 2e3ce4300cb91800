import type { GatewayOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { type GatewayAttempt, type GatewayEvent, type ModelGateway, openGateway } from '@bailiwick/model-gateway';

/** The gateway that the jobs of a batch share; undefined where none of them asks for one. */
export async function openGatewayFor(jobs: readonly SupervisedJob[]): Promise<ModelGateway | undefined> {
  return jobs.some(({ gateway }) => gateway !== undefined) ? openGateway() : undefined;
}

/** Admits a job to the gateway. Throws where the order asks for what isn't there, or can't be used. */
export function admitToGateway(
  gateway: ModelGateway | undefined,
  { format, upstream, key }: GatewayOrder,
  onEvent: (event: GatewayEvent) => void,
): GatewayAttempt {
  if (gateway === undefined) throw new Error('its gateway is not open');
  return gateway.admit({ format, upstream, key: key === null ? null : { value: key }, onEvent });
}
