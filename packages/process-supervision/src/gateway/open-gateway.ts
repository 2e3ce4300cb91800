import type { GatewayOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import type { GatewayAttempt, GatewayEvent, ModelGateway } from '@bailiwick/model-gateway';

/**
 * The gateway that the jobs of a batch share; undefined where none of them asks for one. Loaded only then: Node's HTTP modules cost a
 * third of what a short command takes.
 */
export async function openGatewayFor(jobs: readonly SupervisedJob[]): Promise<ModelGateway | undefined> {
  if (jobs.every(({ gateway }) => gateway === undefined)) return undefined;
  const { openGateway } = await import('@bailiwick/model-gateway');
  return openGateway();
}

/** Admits a job to the gateway. Throws where the order asks for what isn't there, or can't be used. */
export function admitToGateway(
  gateway: ModelGateway | undefined,
  { format, upstream, key, models }: GatewayOrder,
  onEvent: (event: GatewayEvent) => void,
): GatewayAttempt {
  if (gateway === undefined) throw new Error('its gateway is not open');
  const rule = models === undefined ? {} : { models };
  return gateway.admit({ format, upstream, key: key === null ? null : { value: key }, ...rule, onEvent });
}
