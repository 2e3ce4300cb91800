import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type StopIntent, stopIntentCodec, supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { isLocked, tryLock, writeDocument } from '@bailiwick/durable-files';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endProcessTree, findAttemptProcesses, processState, readProcessIdentity } from '../src/index.ts';
import { launchSupervisor, SUPERVISOR_PROGRAM } from './support/launch.ts';
import { expectNothingLeft } from './support/nothing-left.ts';
import { type EndedBatch, runTogether } from './support/run-together.ts';
import { makeTestRun, shell, type TestRun } from './support/test-run.ts';
import { until } from './support/until.ts';

let run: TestRun;
beforeEach(async () => {
  run = await makeTestRun();
});
afterEach(() => run.remove());
afterAll(expectNothingLeft);

describe('the end of an attempt', () => {
  let ended: EndedBatch<'environment' | 'code124' | 'signal' | 'grandchild' | 'unfenced' | 'missing' | 'text'>;
  beforeAll(async () => {
    const unfenced = 'env -i /bin/sh -c "echo \\$\\$ > ../out/pid; while :; do sleep 0.1; done" & wait';
    ended = await runTogether({
      // The first of them has the first slot.
      environment: [shell('exec /usr/bin/env'), { env: { ONLY: 'this' } }],
      code124: [shell('exit 124')],
      signal: [shell('kill -SEGV $$')],
      grandchild: [shell('setsid sh -c "trap \\"\\" TERM; while :; do sleep 0.1; done" & sleep 0.2; exit 0')],
      unfenced: [shell(unfenced), { limits: { hardMs: 800, idleMs: 60_000, graceMs: 200 } }],
      missing: [['no-such-agent', '--flag']],
      text: [shell('cat'), { stdin: { kind: 'text', text: 'typed' } }],
    });
  });
  afterAll(() => ended.run.remove());

  it('ST-7 an agent that exits 0 ends as exited, with its output in the log and its prompt on its input', async () => {
    const job = await run.job(shell('cat; echo "to stderr" >&2; echo done'));
    const supervisor = launchSupervisor(run.order([job]));
    await supervisor.ended;
    expect(supervisor.lines.map(({ kind }) => kind)).toEqual(['ready', 'started', 'launched']);
    expect(await run.sidecar(job)).toMatchObject({
      stage: 'exited',
      exitCode: 0,
      signal: null,
      endEvidence: 'positive',
      endProof: 'search',
      leftProcesses: 0,
    });
    expect((await run.log(job)).split('\n').sort()).toEqual(['', 'Do the work.', 'done', 'to stderr']);
  });

  it('ST-2 an agent of code 124 is an ordinary exit, no time limit', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.code124);
    expect(sidecar).toMatchObject({ stage: 'exited', exitCode: 124, endEvidence: 'negative' });
  });

  it('an agent that dies by a signal is told with its signal', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.signal);
    expect(sidecar).toMatchObject({ stage: 'exited', exitCode: null, signal: 'SIGSEGV' });
  });

  it('a grandchild in its own session that holds the output open is ended, and the attempt with its leader', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.grandchild);
    expect(sidecar).toMatchObject({ stage: 'exited', exitCode: 0, endProof: 'search' });
    expect(sidecar?.leftProcesses).toBeGreaterThan(0);
    expect(await findAttemptProcesses(ended.jobs.grandchild.dispatchId)).toEqual([]);
  });

  it('a descendant that dropped the fence from its environment is ended with the tree', async () => {
    const pid = Number(await ended.run.read('out/pid'));
    expect(pid).toBeGreaterThan(0);
    expect(readProcessIdentity(pid)).toBeUndefined();
  });

  it('a program that is not there fails the launch, and says which', async () => {
    const { dispatchId, reason } = await ended.supervisor.line('failed');
    expect(dispatchId).toBe(ended.jobs.missing.dispatchId);
    expect(reason).toContain('no-such-agent');
    const sidecar = await ended.run.sidecar(ended.jobs.missing);
    expect(sidecar).toMatchObject({ stage: 'launch-failed', process: null, endProof: 'search' });
  });

  it('its environment is what the order says, the fence and the slot, and nothing else', async () => {
    const names = (await ended.run.log(ended.jobs.environment))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('_='))
      .sort();
    // The agent here is a shell itself, which sets PWD for its own child.
    expect(names.filter((line) => !line.startsWith('PWD='))).toEqual([
      `BAILIWICK_DISPATCH_ID=${ended.jobs.environment.dispatchId}`,
      'BAILIWICK_SLOT=1',
      'ONLY=this',
    ]);
  });

  it('a text is fed to its input where the order says so', async () => {
    expect(await ended.run.log(ended.jobs.text)).toBe('typed');
  });
});

describe('limits', () => {
  let ended: EndedBatch<'silent' | 'printing' | 'stubborn' | 'asking'>;
  beforeAll(async () => {
    const graceMs = 100;
    ended = await runTogether({
      silent: [shell('echo first; sleep 60'), { limits: { hardMs: 60_000, idleMs: 1_000, graceMs } }],
      printing: [
        shell('while :; do echo tick; sleep 0.05; done'),
        { limits: { hardMs: 3_500, idleMs: 3_000, graceMs } },
      ],
      stubborn: [
        shell('trap "" TERM INT; while :; do sleep 0.05; done'),
        { limits: { hardMs: 300, idleMs: 60_000, graceMs: 200 } },
      ],
      asking: [
        shell('echo "Overwrite the file? [y/N]"; while :; do printf .; sleep 0.05; done'),
        { limits: { hardMs: 60_000, idleMs: 600, graceMs } },
      ],
    });
  });
  afterAll(() => ended.run.remove());

  it('ST-2 a silent agent ends at its idle limit, and the reason says so', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.silent);
    expect(sidecar).toMatchObject({ stage: 'idle-timed-out', lastLine: 'first' });
  });

  it('ST-2 an agent that keeps printing ends at its hard limit', async () => {
    expect(await ended.run.sidecar(ended.jobs.printing)).toMatchObject({ stage: 'timed-out' });
  });

  it('an agent that ignores SIGTERM is killed after its grace', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.stubborn);
    expect(sidecar).toMatchObject({ stage: 'timed-out', signal: 'SIGKILL', endProof: 'search' });
  });

  it('an agent that waits for an answer is bounded by the idle limit, whatever it draws meanwhile', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.asking);
    expect(sidecar?.stage).toBe('idle-timed-out');
    expect(sidecar?.reason).toContain('Overwrite the file');
  });
});

describe('what a supervisor refuses', () => {
  it('AW-5 it starts nothing while another one holds the live lock', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    const order = run.order([job]);
    const lock = tryLock(order.liveLockPath);
    const supervisor = launchSupervisor(order);
    await supervisor.ended;
    lock?.release();
    expect(supervisor.lines).toEqual([expect.objectContaining({ kind: 'refused', code: 'LIVE_LOCK_HELD' })]);
    expect(await run.read('out/ran')).toBeUndefined();
    expect(await run.sidecar(job)).toBeUndefined();
  });

  it('it starts no job whose record is not launching any more, and leaves its sidecar alone', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    await run.setStatus(job, 'running');
    const supervisor = launchSupervisor(run.order([job]));
    await supervisor.ended;
    expect((await supervisor.line('failed')).reason).toContain('running');
    expect(await run.read('out/ran')).toBeUndefined();
    expect(await run.sidecar(job)).toBeUndefined();
  });

  it('it starts no attempt twice', async () => {
    const job = await run.job(shell('echo x >> "$OUT/runs"'));
    await launchSupervisor(run.order([job])).ended;
    const second = launchSupervisor(run.order([job]));
    await second.ended;
    expect((await second.line('failed')).reason).toContain('before');
    expect(await run.read('out/runs')).toBe('x\n');
  });

  it('B1 an order that names an attempt twice runs nothing', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    const supervisor = launchSupervisor(run.order([job, job]));
    await supervisor.ended;
    expect(await supervisor.line('refused')).toMatchObject({ code: 'ORDER_INVALID' });
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it('an order that is cut short runs nothing, and its words are not repeated', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'), { env: { TOKEN: 'hush-hush' } });
    const text = JSON.stringify(supervisionOrderCodec.encode(run.order([job])));
    const supervisor = launchSupervisor(text.slice(0, -2));
    await supervisor.ended;
    const line = await supervisor.line('refused');
    expect(line.code).toBe('ORDER_INVALID');
    expect(line.reason).not.toContain('hush');
    expect(await run.read('out/ran')).toBeUndefined();
  });
});

describe('stops', () => {
  it('AW-6 a worker that is stopped before its start never runs, and is told as stopped', async () => {
    const job = await run.job(shell('touch "$OUT/ran"'));
    await stopIntent(job.stopIntentPath);
    await launchSupervisor(run.order([job])).ended;
    expect(await run.sidecar(job)).toMatchObject({ stage: 'stopped', process: null, reason: 'stopped by anna' });
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it('AW-6 a stop intent that appears while a worker runs ends it', async () => {
    const job = await run.job(shell('sleep 60 & wait'));
    const supervisor = launchSupervisor(run.order([job]));
    await supervisor.line('launched');
    await stopIntent(job.stopIntentPath);
    await supervisor.ended;
    expect(await run.sidecar(job)).toMatchObject({ stage: 'stopped', reason: 'stopped by anna', endProof: 'search' });
  });

  it('AW-6 a stopped worker that waits for a place is told as stopped at once', async () => {
    const long = await run.job(shell('sleep 60'));
    const waiting = await run.job(shell('touch "$OUT/ran"'));
    const supervisor = launchSupervisor(run.order([long, waiting], { maxConcurrent: 1 }));
    await supervisor.line('launched');
    await stopIntent(waiting.stopIntentPath);
    await until('a terminal sidecar', async () => (await run.sidecar(waiting))?.stage === 'stopped');
    expect((await run.sidecar(long))?.stage).toBe('starting');
    supervisor.child.kill('SIGTERM');
    await supervisor.ended;
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it('SIGTERM to a supervisor stops its workers and says so in their sidecars', async () => {
    const jobs = [
      await run.job(shell('sleep 60')),
      await run.job(shell('sleep 60')),
      await run.job(shell('touch "$OUT/ran"')),
    ];
    const supervisor = launchSupervisor(run.order(jobs, { maxConcurrent: 2 }));
    await supervisor.line('launched');
    supervisor.child.kill('SIGTERM');
    await supervisor.ended;
    for (const job of jobs) expect(await run.sidecar(job)).toMatchObject({ stage: 'stopped' });
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it('SIGHUP and SIGINT to a supervisor change nothing', async () => {
    const job = await run.job(shell('while [ ! -e "$OUT/go" ]; do sleep 0.05; done; echo finished'));
    const supervisor = launchSupervisor(run.order([job]));
    await supervisor.line('launched');
    supervisor.child.kill('SIGHUP');
    supervisor.child.kill('SIGINT');
    await writeFile(run.path('out/go'), '');
    await supervisor.ended;
    expect(await run.sidecar(job)).toMatchObject({ stage: 'exited', exitCode: 0 });
  });
});

describe('deaths', () => {
  it('the command may be killed right after ready: the worker finishes and its terminal sidecar is there', async () => {
    const job = await run.job(shell('while [ ! -e "$OUT/go" ]; do sleep 0.05; done; echo finished'));
    const order = run.order([job]);
    await writeFile(run.path('order.json'), JSON.stringify(supervisionOrderCodec.encode(order)));
    const program = fileURLToPath(new URL('./support/dying-command.mjs', import.meta.url));
    const command = spawn(process.execPath, [program, SUPERVISOR_PROGRAM, run.path('order.json')], {
      stdio: 'inherit',
    });
    const signal = await new Promise((resolve) => command.once('exit', (_, by) => resolve(by)));
    expect(signal).toBe('SIGKILL');
    await until('the worker started', async () => (await run.sidecar(job))?.process);
    await writeFile(run.path('out/go'), '');
    await until('a terminal sidecar', async () => (await run.sidecar(job))?.stage === 'exited');
    await until('a free live lock', () => !isLocked(order.liveLockPath));
    expect(await run.log(job)).toBe('finished\n');
  });

  it('AW-4 a killed supervisor frees its live lock, and what it leaves can be ended', async () => {
    const job = await run.job(shell('trap "" TERM; setsid sleep 60 & while :; do sleep 0.05; done'));
    const order = run.order([job]);
    const supervisor = launchSupervisor(order);
    const { process: worker } = await supervisor.line('started');
    expect(isLocked(order.liveLockPath)).toBe(true);
    supervisor.child.kill('SIGKILL');
    await supervisor.ended;
    expect(isLocked(order.liveLockPath)).toBe(false);
    expect((await run.sidecar(job))?.stage).toBe('starting');
    expect(processState(worker)).toBe('alive');
    const outcome = await endProcessTree({ fence: job.dispatchId, process: worker, graceMs: 100 });
    expect(outcome).toMatchObject({ endProof: 'search', isGone: true });
    expect(outcome.endedProcesses).toBeGreaterThanOrEqual(2);
    expect(processState(worker)).toBe('dead');
  });
});

describe('places', () => {
  it('no more than maxConcurrent run at once, the others are queued and run later', async () => {
    const script =
      'mkdir "$OUT/place-$BAILIWICK_SLOT" || exit 9; sleep 0.1; rmdir "$OUT/place-$BAILIWICK_SLOT"; echo x >> "$OUT/runs"';
    const jobs = await Promise.all(Array.from({ length: 5 }, () => run.job(shell(script))));
    const supervisor = launchSupervisor(run.order(jobs, { maxConcurrent: 2 }));
    await supervisor.ended;
    expect(supervisor.lines.filter(({ kind }) => kind === 'queued')).toHaveLength(3);
    expect(supervisor.lines.filter(({ kind }) => kind === 'started')).toHaveLength(2);
    for (const job of jobs) expect(await run.sidecar(job)).toMatchObject({ stage: 'exited', exitCode: 0 });
    expect(await run.read('out/runs')).toBe('x\n'.repeat(5));
  });
});

async function stopIntent(path: string): Promise<void> {
  const intent: StopIntent = {
    schemaVersion: '1.0',
    workerId: parseWorkerId('w1'),
    by: 'anna',
    at: new Date().toISOString(),
  };
  await writeDocument(path, stopIntentCodec, intent);
}
