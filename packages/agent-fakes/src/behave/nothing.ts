import type { Agent } from '../agent.ts';
import { begin } from './work.ts';

/** A proper end, and not a byte written anywhere. */
export async function nothing(agent: Agent): Promise<number> {
  await begin(agent);
  await agent.tell({ kind: 'finished', text: 'Done.' });
  return 0;
}
