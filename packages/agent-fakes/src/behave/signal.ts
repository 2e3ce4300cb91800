import type { Agent } from '../agent.ts';
import { forever } from './forever.ts';
import { begin } from './work.ts';

/** Dies by SIGSEGV, as a crashing native binary does. */
export async function signal(agent: Agent): Promise<number> {
  await begin(agent);
  process.kill(process.pid, 'SIGSEGV');
  return forever();
}
