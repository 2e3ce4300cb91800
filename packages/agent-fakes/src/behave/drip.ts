import { setTimeout } from 'node:timers/promises';
import type { Agent } from '../agent.ts';

const DRIP_EVERY_MS = 200;

/** Never idle, never done. */
export async function drip(agent: Agent): Promise<number> {
  await agent.tell({ kind: 'started' });
  for (let drop = 1; ; drop += 1) {
    await setTimeout(DRIP_EVERY_MS);
    await agent.tell({ kind: 'said', text: `Still thinking (${drop}).` });
  }
}
