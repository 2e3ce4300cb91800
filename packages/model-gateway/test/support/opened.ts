import { afterAll, afterEach } from 'vitest';
import {
  type AttemptRoute,
  type GatewayAttempt,
  type GatewayEvent,
  type ModelGateway,
  openGateway,
} from '../../src/index.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Opened {
  readonly attempt: GatewayAttempt;
  readonly events: readonly GatewayEvent[];
  /** Asks through the gateway, as an agent with a key of its own. */
  readonly ask: (path: string, body?: unknown, init?: RequestInit) => Promise<Response>;
  /** Resolves when this many turns are over. */
  readonly over: (turns: number) => Promise<void>;
}

let gateway: ModelGateway | undefined;
const upstreams: Upstream[] = [];

afterEach(async () => {
  for (const upstream of upstreams.splice(0)) await upstream.close();
});

afterAll(async () => {
  await gateway?.close();
  gateway = undefined;
});

/** A way through the one gateway of the test file. */
export async function open(route: Partial<AttemptRoute> & Pick<AttemptRoute, 'upstream'>): Promise<Opened> {
  gateway ??= await openGateway();
  const events: GatewayEvent[] = [];
  const waiting: (() => void)[] = [];
  const attempt = gateway.admit({
    format: 'openai-chat',
    key: { value: 'the-real-key' },
    onEvent: (event) => {
      events.push(event);
      for (const wake of waiting) wake();
    },
    ...route,
  });
  const isOver = (turns: number): boolean => events.filter(({ kind }) => kind === 'turn').length >= turns;
  return {
    attempt,
    events,
    ask: (path, body, init) => fetch(`${attempt.url}${path}`, { ...asked(body), ...init }),
    over: (turns) =>
      new Promise((resolve) => {
        const wake = (): void => {
          if (isOver(turns)) resolve();
        };
        waiting.push(wake);
        wake();
      }),
  };
}

/** The same, before a model server that answers as it is told to. */
export async function openBefore(
  answer: Parameters<typeof startUpstream>[0],
  route: Partial<AttemptRoute> = {},
): Promise<Opened & { readonly upstream: Upstream }> {
  const upstream = await startUpstream(answer);
  upstreams.push(upstream);
  return { ...(await open({ ...route, upstream: `${upstream.url}${route.upstream ?? ''}` })), upstream };
}

function asked(body: unknown): RequestInit {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer the-agents-own', 'x-api-key': 'own' };
  if (body === undefined) return { headers };
  return { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
