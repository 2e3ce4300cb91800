import type { Agent } from '../agent.ts';
import { work } from './work.ts';

const DEFAULT_DELAY_MS = 5000;

/** `work` after a wait. */
export async function slow(agent: Agent): Promise<number> {
  return work({ ...agent, request: { ...agent.request, delayMs: agent.request.delayMs ?? DEFAULT_DELAY_MS } });
}
