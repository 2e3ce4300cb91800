// One round for each line on stdin: as many no-op tasks as the line says, dispatched in memory. Answers `ended K`, how many of them
// came to their end. Runs beside an installed swarm-dispatch.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
// @boundaries-ignore the peer is installed beside the copy of this program that runs, and is no dependency of ours
import { createOrchestrator } from 'swarm-dispatch';

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`ended ${await round(Number(line))}\n`);
}

async function round(count) {
  const tasks = new Map(
    Array.from({ length: count }, (_, at) => [`t-${at}`, { id: `t-${at}`, title: 'no-op', status: 'open' }]),
  );
  const all = Promise.withResolvers();
  let ended = 0;
  let onStopped = () => undefined;
  const runtime = {
    async spawn({ taskId }) {
      const child = spawn('/bin/true', { stdio: 'ignore' });
      child.once('exit', () => {
        ended += 1;
        const task = tasks.get(taskId);
        if (task !== undefined) task.status = 'closed';
        onStopped(taskId, 'completed');
        if (ended === count) all.resolve();
      });
      return { id: taskId };
    },
    terminate: async () => undefined,
    onStopped(callback) {
      onStopped = callback;
      return () => undefined;
    },
  };
  const orchestrator = createOrchestrator(sourceOf(tasks), runtime, {
    claimantId: 'bench',
    pollIntervalMs: 60_000,
    defaultRole: 'worker',
    concurrency: { global: count },
    retry: { maxRetries: 0, baseDelayMs: 1, maxDelayMs: 1 },
  });
  await orchestrator.start();
  await orchestrator.dispatchNow();
  await Promise.race([all.promise, new Promise((resolve) => setTimeout(resolve, 30_000).unref())]);
  await orchestrator.stop();
  return ended;
}

function sourceOf(tasks) {
  return {
    queryReady: async () => [...tasks.values()].filter((task) => task.status === 'open'),
    claim: async (id) => {
      const task = tasks.get(id);
      if (task === undefined || task.status !== 'open') return { success: false };
      task.status = 'in_progress';
      return { success: true, task, fence: 1 };
    },
    release: async () => undefined,
    transition: async (id, action) => {
      const task = tasks.get(id);
      if (task !== undefined && action === 'close') task.status = 'closed';
    },
    getTask: async (id) => tasks.get(id),
    isStillActive: async () => false,
  };
}
