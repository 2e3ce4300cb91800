import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

/** Bounded, so that a run which fails to end it leaves nothing behind for ever. */
const GRANDCHILD_SECONDS = 600;

/** Works and exits 0, but leaves a process in its own session that ignores SIGTERM and holds stdout and stderr. */
export async function grandchild(agent: Agent): Promise<number> {
  await begin(agent);
  const child = await startGrandchild(agent);
  await agent.tell({ kind: 'said', text: `grandchild ${child.pid} stays behind` });
  return conclude(agent, await perform(agent));
}

/** Resolves once the process ignores the signals: an ignored signal stays ignored across `exec`. */
async function startGrandchild({ env }: Agent): Promise<ChildProcess> {
  const script = `trap '' TERM INT HUP; echo ready >&3; exec 3>&-; exec sleep ${GRANDCHILD_SECONDS}`;
  const child = spawn('sh', ['-c', script], { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const ready = child.stdio[3];
  if (ready) await once(ready, 'data');
  ready?.destroy();
  child.unref();
  return child;
}
