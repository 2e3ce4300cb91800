import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connectSupervisor,
  isSupervisionError,
  MAX_SOCKET_PATH_BYTES,
  type StageMessage,
  socketPathFor,
} from '../../src/index.ts';
import { launchSupervisor } from '../support/launch.ts';
import { expectNothingLeft } from '../support/nothing-left.ts';
import { makeTestRun, shell, type TestRun } from '../support/test-run.ts';
import { until } from '../support/until.ts';

let run: TestRun;
beforeEach(async () => {
  run = await makeTestRun();
});
afterEach(() => run.remove());
afterAll(expectNothingLeft);

function socketOf(testRun: TestRun): string {
  const path = socketPathFor({ runtimeFolder: testRun.path('rt'), runDirectory: testRun.folder, batchId: 'b1' });
  if (path === null) throw new Error('the temporary folder is too deep for a socket');
  return path;
}

describe('socketPathFor', () => {
  it('is short or null, the same for the same batch and another for another, and never below the run', () => {
    const text = fc.string({ minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(text, text, text, (folder, runDirectory, batchId) => {
        const place = { runtimeFolder: `/${folder}`, runDirectory: `/${runDirectory}`, batchId };
        const path = socketPathFor(place);
        expect(socketPathFor(place)).toBe(path);
        if (path === null) return;
        expect(Buffer.byteLength(path)).toBeLessThan(MAX_SOCKET_PATH_BYTES);
        expect(socketPathFor({ ...place, batchId: `${batchId}x` })).not.toBe(path);
      }),
    );
    expect(socketPathFor({ runtimeFolder: `/${'x'.repeat(90)}`, runDirectory: '/r', batchId: 'b' })).toBeNull();
  });
});

describe('the socket of a supervisor', () => {
  it('tells each stage, the terminal one only when its sidecar is durable, then hangs up', async () => {
    const job = await run.job(shell('while [ ! -e "$OUT/go" ]; do sleep 0.05; done'));
    const socketPath = socketOf(run);
    const supervisor = launchSupervisor(run.order([job], { socketPath }));
    expect((await supervisor.line('ready')).socketPath).toBe(socketPath);
    const connection = await connectSupervisor(socketPath);
    const hints: StageMessage[] = [];
    const atEnd: Promise<string | undefined>[] = [];
    connection.onHint((hint) => {
      hints.push(hint);
      if (hint.stage === 'exited') atEnd.push(run.sidecar(job).then((sidecar) => sidecar?.stage));
    });
    await until('running', () => hints.some(({ stage }) => stage === 'running'));
    await writeFile(run.path('out/go'), '');
    await connection.closed;
    expect(new Set(hints.map(({ dispatchId }) => dispatchId))).toEqual(new Set([job.dispatchId]));
    expect(hints.at(-1)?.stage).toBe('exited');
    expect(await Promise.all(atEnd)).toEqual(['exited']);
    expect((await run.sidecar(job))?.socketPath).toBe(socketPath);
    await supervisor.ended;
    await expect(lstat(socketPath)).rejects.toThrow();
  });

  it('AW-6 a stop through it ends the named worker alone and says who stopped it', async () => {
    const stopped = await run.job(shell('trap "" TERM; while :; do sleep 0.05; done'));
    const other = await run.job(shell('while [ ! -e "$OUT/go" ]; do sleep 0.05; done'));
    const socketPath = socketOf(run);
    const supervisor = launchSupervisor(run.order([stopped, other], { socketPath }));
    await supervisor.line('launched');
    const connection = await connectSupervisor(socketPath);
    await connection.stop({ stop: [stopped.dispatchId, 'somebody~1:attempt-1'], by: 'anna', graceMs: 0 });
    await until('stopped', async () => (await run.sidecar(stopped))?.stage === 'stopped');
    expect((await run.sidecar(stopped))?.reason).toBe('stopped by anna');
    await writeFile(run.path('out/go'), '');
    await supervisor.ended;
    connection.close();
    expect((await run.sidecar(other))?.stage).toBe('exited');
  });

  it('AW-6 a later stop with less grace cuts the grace of the first short, and the first is the reason', async () => {
    const job = await run.job(shell('trap \'touch "$OUT/asked"\' TERM; while :; do sleep 0.05; done'));
    const socketPath = socketOf(run);
    const supervisor = launchSupervisor(run.order([job], { socketPath }));
    await supervisor.line('launched');
    const connection = await connectSupervisor(socketPath);
    const stop = (by: string, graceMs: number) => connection.stop({ stop: [job.dispatchId], by, graceMs });
    await stop('anna', 600_000);
    await until('asked to end', async () =>
      lstat(run.path('out/asked')).then(
        () => true,
        () => false,
      ),
    );
    expect((await run.sidecar(job))?.stage).toBe('starting');
    await stop('anna again', 0);
    await until('stopped', async () => (await run.sidecar(job))?.stage === 'stopped');
    expect((await run.sidecar(job))?.reason).toBe('stopped by anna');
    connection.close();
    await supervisor.ended;
  });

  it('tells of an agent that waits for an answer, and the sidecar is written twice all the same', async () => {
    const job = await run.job(shell('printf "Go on? [y/N] "; while [ ! -e "$OUT/go" ]; do sleep 0.2; done'));
    const socketPath = socketOf(run);
    const supervisor = launchSupervisor(run.order([job], { socketPath }));
    await supervisor.line('launched');
    const connection = await connectSupervisor(socketPath);
    const stages: string[] = [];
    connection.onHint(({ stage }) => stages.push(stage));
    await until('waiting-for-input', () => stages.includes('waiting-for-input'));
    expect((await run.sidecar(job))?.stage).toBe('starting');
    await writeFile(run.path('out/go'), '');
    await supervisor.ended;
    expect((await run.sidecar(job))?.stage).toBe('exited');
  });

  it('passes over what is malformed or about somebody else', async () => {
    const job = await run.job(shell('while [ ! -e "$OUT/go" ]; do sleep 0.05; done'));
    const socketPath = socketOf(run);
    const supervisor = launchSupervisor(run.order([job], { socketPath }));
    await supervisor.line('launched');
    const lines = [
      'not json',
      '{"stop":"all"}',
      JSON.stringify({ stop: [job.dispatchId], by: 'x', graceMs: -1 }),
      JSON.stringify({ stop: ['inv~1:attempt-9'], by: 'x', graceMs: 0 }),
      '[]',
    ];
    for (const bytes of [`${lines.join('\n')}\n`, 'x'.repeat(3_000_000)]) {
      const socket = createConnection({ path: socketPath });
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      socket.end();
    }
    await writeFile(run.path('out/go'), '');
    await supervisor.ended;
    expect(await run.sidecar(job)).toMatchObject({ stage: 'exited', exitCode: 0 });
  });

  it('lies in a folder that is the user’s alone; where that cannot be had there is none, and the attempt runs all the same', async () => {
    const socketPath = socketOf(run);
    await mkdir(dirname(socketPath), { recursive: true, mode: 0o777 });
    const job = await run.job(shell('true'));
    const supervisor = launchSupervisor(run.order([job], { socketPath }));
    await supervisor.line('ready');
    expect((await lstat(dirname(socketPath))).mode & 0o777).toBe(0o700);
    await supervisor.ended;

    await mkdir(run.path('elsewhere'));
    await symlink(run.path('elsewhere'), run.path('link'));
    const second = await run.job(shell('true'));
    const refused = launchSupervisor(run.order([second], { socketPath: join(run.path('link'), 'x.sock') }));
    expect((await refused.line('ready')).socketPath).toBeNull();
    await refused.ended;
    expect(await run.sidecar(second)).toMatchObject({ stage: 'exited', socketPath: null });
  });

  it('a socket that nobody listens on is a coded error', async () => {
    const error = await connectSupervisor(run.path('none.sock')).catch((caught: unknown) => caught);
    expect(isSupervisionError(error) && error.code).toBe('SOCKET_UNREACHABLE');
  });
});
