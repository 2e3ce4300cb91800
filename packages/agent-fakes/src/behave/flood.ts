import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

const DEFAULT_FLOOD_BYTES = 100_000_000;
const TEXT = 'All work and no play. '.repeat(800);

/** Prints at least `floodBytes` of valid events, then works. */
export async function flood(agent: Agent): Promise<number> {
  await begin(agent);
  const rounds = Math.ceil((agent.request.floodBytes ?? DEFAULT_FLOOD_BYTES) / TEXT.length);
  for (let round = 0; round < rounds; round += 1) await agent.tell({ kind: 'said', text: TEXT });
  return conclude(agent, await perform(agent));
}
