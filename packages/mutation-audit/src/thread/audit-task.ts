import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MAX_TURN_BYTES } from '../tree/turn.ts';
import { hasIdleThreads, runOnThreads } from './audit-thread.ts';
import type { AuditAnswer, AuditTask, TaskOptions } from './protocol.ts';

/**
 * Runs one task, in the calling thread where the tree is small, else on the audit's threads; what is seen is the same. Rejects with the
 * task's MutationAuditError, or with `signal.reason` on abort.
 */
export async function runAuditTask<K extends AuditAnswer['kind']>(
  task: AuditTask & { kind: K },
  o: TaskOptions,
): Promise<Extract<AuditAnswer, { kind: K }>> {
  o.signal?.throwIfAborted();
  const alone = hasIdleThreads() || isSurelyLarge(task) ? undefined : await tryAlone(task, o);
  const answer = alone ?? (await runOnThreads(task, o));
  // A task is answered with its own kind.
  return answer as Extract<AuditAnswer, { kind: K }>;
}

async function tryAlone(task: AuditTask, o: TaskOptions): Promise<AuditAnswer | undefined> {
  for (const load of NEEDED) {
    await load();
    await setImmediate();
  }
  // Loaded where an audit is made: most of a command's audit code is in it.
  const { runAlone } = await import('./run-alone.ts');
  await setImmediate();
  return await runAlone(task, o);
}

/** What an audit needs of Node, in pieces: loaded all at once it would hold up the calling thread for longer than a turn. */
const NEEDED: readonly (() => Promise<unknown>)[] = [
  () => import('node:crypto'),
  () => import('node:zlib'),
  () => import('node:fs/promises'),
  () => import('node:net'),
  () => import('node:child_process'),
];

/** Whether a file that is read first is larger than what the calling thread reads: then it need not begin. */
function isSurelyLarge(task: AuditTask): boolean {
  return firstFiles(task).some((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_TURN_BYTES);
}

function firstFiles(task: AuditTask): readonly string[] {
  if (task.kind === 'compare') return [task.snapshotPath];
  const roots = task.kind === 'snapshot' ? task.roots.map(({ path }) => path) : [task.worktree];
  return roots.map((root) => join(root, '.git/index'));
}
