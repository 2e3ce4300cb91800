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
  const answer = (hasIdleThreads() ? undefined : await tryAlone(task, o)) ?? (await runOnThreads(task, o));
  // A task is answered with its own kind.
  return answer as Extract<AuditAnswer, { kind: K }>;
}

async function tryAlone(task: AuditTask, o: TaskOptions): Promise<AuditAnswer | undefined> {
  // Loaded where an audit is made: most of a command's audit code is in it.
  const { runAlone } = await import('./run-alone.ts');
  return await runAlone(task, o);
}
