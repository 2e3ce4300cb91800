import { setTimeout } from 'node:timers/promises';
import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';

/** The role's work from the first event to the last, honestly. */
export async function work(agent: Agent): Promise<number> {
  await begin(agent);
  return conclude(agent, await perform(agent));
}

/** The first event, then the wait that was asked for. */
export async function begin(agent: Agent): Promise<void> {
  await agent.tell({ kind: 'started' });
  if (agent.request.delayMs === undefined) return;
  await agent.tell({ kind: 'said', text: 'I will read the task first.' });
  await setTimeout(agent.request.delayMs);
}
