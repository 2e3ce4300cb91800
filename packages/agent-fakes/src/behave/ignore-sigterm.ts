import type { Agent } from '../agent.ts';
import { forever } from './forever.ts';

/** Deaf to SIGTERM, SIGINT and SIGHUP before its first event is out, and never ends. */
export async function ignoreSigterm(agent: Agent): Promise<number> {
  agent.interruption.ignore();
  await agent.tell({ kind: 'started' });
  return forever();
}
