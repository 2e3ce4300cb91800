import { execFileSync, spawn } from 'node:child_process';
import { readdir, readlink, rm } from 'node:fs/promises';
import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGated } from '../src/attempt/gated-start.ts';
import { findAttemptProcesses } from '../src/index.ts';
import { launchSupervisor, SUPERVISOR_PROGRAM } from './support/launch.ts';
import { expectNothingLeft } from './support/nothing-left.ts';
import { makeTestRun, shell, type TestRun } from './support/test-run.ts';
import { until } from './support/until.ts';

let run: TestRun;
beforeEach(async () => {
  run = await makeTestRun();
});
afterEach(() => run.remove());
afterAll(expectNothingLeft);

describe('the gate', () => {
  it('B3 a worker finds its own identity in its durable sidecar before it does anything', async () => {
    const job = await run.job(shell('cp "$SIDECAR" "$OUT/seen"; echo $$ > "$OUT/pid"'));
    const seen = { ...job, env: { ...job.env, SIDECAR: job.sidecarPath } };
    await launchSupervisor(run.order([seen])).ended;
    const sidecar = JSON.parse((await run.read('out/seen')) ?? '{}');
    expect(sidecar).toMatchObject({ stage: 'starting', process: { pid: Number(await run.read('out/pid')) } });
  });

  it('a sidecar that cannot be written ends the worker before it has run anything', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    await rm(run.path('sidecars'), { recursive: true });
    const supervisor = launchSupervisor(run.order([job]));
    await supervisor.ended;
    expect((await supervisor.line('failed')).dispatchId).toBe(job.dispatchId);
    expect(await run.read('out/ran')).toBeUndefined();
    expect(await findAttemptProcesses(job.dispatchId)).toEqual([]);
  });

  it('a worker whose notes cannot be opened leaves no descriptor behind', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    await rm(run.path('sidecars'), { recursive: true });
    const confined = { argv: job.argv, env: job.env, isConfined: true };
    await expect(startGated(job, 0, confined)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await openFiles()).not.toContain(job.promptPath);
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it.skipIf(!hasStrace())(
    'a supervisor that is killed while it makes the identity durable leaves a worker that never ran',
    async () => {
      const job = await run.job(shell('touch "$OUT/ran"'));
      const order = JSON.stringify(supervisionOrderCodec.encode(run.order([job])));
      const renames = 'rename,renameat,renameat2';
      const traced = [
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${renames}`,
        '-e',
        `inject=${renames}:signal=SIGKILL:when=1`,
      ];
      const child = spawn('strace', [...traced, process.execPath, SUPERVISOR_PROGRAM], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += String(chunk);
      });
      child.stdin.end(order);
      await new Promise((resolve) => child.once('close', resolve));
      expect(printed).toContain('"ready"');
      expect(printed).not.toContain('"started"');
      await until('the gate has closed', async () => (await findAttemptProcesses(job.dispatchId)).length === 0);
      expect(await run.read('out/ran')).toBeUndefined();
    },
  );
});

/** What this process has open; a descriptor that is closed meanwhile has no name any more. */
async function openFiles(): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  return Promise.all(descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')));
}

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
