import { compareTask } from '../compare/compare-task.ts';
import { alteredTask } from '../layer/altered-task.ts';
import { outlineTask } from '../layer/outline-task.ts';
import { snapshotTask } from '../snapshot/snapshot-task.ts';
import { sourceDigestTask } from '../snapshot/source-digest-task.ts';
import type { Crew } from './crew.ts';
import type { AuditAnswer, AuditTask } from './protocol.ts';

/** Runs a task in the lead thread; `answer` takes slices first and the closing answer last. Throws MutationAuditError. */
export async function runTask(task: AuditTask, crew: Crew, answer: (answer: AuditAnswer) => void): Promise<void> {
  switch (task.kind) {
    case 'snapshot':
      return answer({ kind: 'snapshot', receipt: await snapshotTask(task, crew) });
    case 'compare':
      return answer({
        kind: 'compare',
        frame: await compareTask(task, crew, (slice) => answer({ kind: 'slice', slice })),
      });
    case 'altered':
      return answer({ kind: 'altered', found: await alteredTask(task, crew) });
    case 'outline':
      return answer({ kind: 'outline', outline: await outlineTask(task, crew) });
    case 'source-digest':
      return answer({ kind: 'source-digest', digest: await sourceDigestTask(task, crew) });
  }
}
