import type { Agent } from '../agent.ts';
import { forever } from './forever.ts';

/** One event, then nothing. Ends on SIGTERM. */
export async function hang(agent: Agent): Promise<number> {
  await agent.tell({ kind: 'started' });
  return forever();
}
