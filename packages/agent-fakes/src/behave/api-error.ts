import type { Agent } from '../agent.ts';
import { begin } from './work.ts';

const DEFAULT_STATUS = 500;

/** The end that the real CLI has when its model's API refuses: 408, 409, 429 and 5xx after retries, the rest at once. */
export async function apiError(agent: Agent): Promise<number> {
  await begin(agent);
  const status = agent.request.status ?? DEFAULT_STATUS;
  await agent.tell({ kind: 'failed', message: `the API answered ${status}`, status });
  return agent.exitCodeOfFailure(status);
}
