import { parentPort, workerData } from 'node:worker_threads';
import { serveHelper, ThreadCrew } from './thread/crew.ts';
import type { AuditTask, CrewRole } from './thread/protocol.ts';
import { runTask } from './thread/run-task.ts';
import { toThreadError } from './thread/thread-error.ts';

/**
 * Entry of the audit's threads: one lead, which runs tasks, and helpers, which share its walks. It imports Node's own modules and
 * this package's files only, so that it runs as it is or as one bundled file.
 */
function start(role: CrewRole): void {
  if (role.role === 'helper') {
    serveHelper(role.port);
    return;
  }
  const crew = new ThreadCrew(role.helpers);
  parentPort?.on('message', (task: AuditTask) => {
    crew.memory.reclaim();
    runTask(task, crew, (answer) => parentPort?.postMessage(answer)).catch((error: unknown) => {
      parentPort?.postMessage({ kind: 'failed', error: toThreadError(error) });
    });
  });
}

// audit-thread.ts alone starts this file, with a CrewRole.
start(workerData as CrewRole);
