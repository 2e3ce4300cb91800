import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { SupervisedJob } from '@bailiwick/dispatch-state';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rotatedLogPath } from '../src/index.ts';
import { launchSupervisor } from './support/launch.ts';
import { expectNothingLeft } from './support/nothing-left.ts';
import { type EndedBatch, runTogether } from './support/run-together.ts';
import { makeTestRun, poolEntry, shell, type TestRun } from './support/test-run.ts';
import { until } from './support/until.ts';

let run: TestRun;
beforeEach(async () => {
  run = await makeTestRun();
});
afterEach(() => run.remove());
afterAll(expectNothingLeft);

const SELECTED = 'claude/claude-opus-4-5@20251101';
const claude = {
  provider: 'claude',
  endEvidence: 'stream',
  servedModel: {
    selectedModelRef: SELECTED,
    poolEntries: [
      poolEntry(SELECTED, 'claude', ['claude-opus-4-5-20251101']),
      poolEntry('claude/other@1', 'claude', ['other-1']),
    ],
    minimumSource: null,
  },
} as const;

function turn(model: string, id: string): string {
  const message = { id, role: 'assistant', model, content: [{ type: 'text', text: 'hm' }] };
  return JSON.stringify({ type: 'assistant', session_id: 's-1', message });
}

const RESULT = JSON.stringify({
  type: 'result',
  subtype: 'success',
  is_error: false,
  terminal_reason: 'completed',
  session_id: 's-1',
  usage: { input_tokens: 5, output_tokens: 7 },
});

function say(...lines: readonly string[]): string {
  return lines.map((line) => `printf '%s\\n' '${line}'`).join('; ');
}

describe('the models that the jobs of an order have in common', () => {
  it('are known to each of them, and a job’s own come after', async () => {
    const [common, own] = [poolEntry(SELECTED, 'claude', ['mine']), poolEntry('claude/other@1', 'claude', ['other-1'])];
    const job = (selectedModelRef: string, name: string, poolEntries: readonly unknown[]) =>
      run.job(shell(say(turn(name, 'm1'), RESULT)), {
        ...claude,
        servedModel: { selectedModelRef, poolEntries, minimumSource: null },
      });
    const jobs = [await job(SELECTED, 'mine', []), await job('claude/other@1', 'other-1', [own])];
    await launchSupervisor(run.order(jobs, { poolEntries: [common] })).ended;
    for (const one of jobs)
      expect(await run.sidecar(one)).toMatchObject({ stage: 'exited', servedModel: { level: 'exact' } });
  });
});

describe('a key that an agent was given', () => {
  const key = 'sk-live-0123456789';

  it('is in nothing that is told of it: neither its last line nor the reason of its end', async () => {
    const env = { PATH: process.env['PATH'] ?? '', SHOP_TOKEN: key };
    const failed = JSON.stringify({ type: 'result', subtype: 'error', is_error: true, result: `bad key ${key}` });
    const job = await run.job(shell(`printf '%s\\n' '${failed}'; exit 1`), { ...claude, env });
    const plain = await run.job(shell(`echo "using $SHOP_TOKEN"`), { env });
    await launchSupervisor(run.order([job, plain])).ended;
    expect(await run.sidecar(plain)).toMatchObject({ lastLine: 'using [key]' });
    for (const one of [job, plain]) expect(JSON.stringify(await run.sidecar(one))).not.toContain(key);
  });
});

describe('the served model', () => {
  let ended: EndedBatch<'exact' | 'changed' | 'lateMismatch' | 'unproven' | 'unknown' | 'noEnd'>;
  beforeAll(async () => {
    const [mine, other] = ['claude-opus-4-5-20251101', 'other-1'];
    const served = (changes: Partial<SupervisedJob['servedModel']>) => ({
      ...claude,
      servedModel: { ...claude.servedModel, ...changes },
    });
    ended = await runTogether({
      exact: [shell(say(turn(mine, 'm1'), turn(mine, 'm2'), RESULT)), claude],
      changed: [shell(`${say(turn(mine, 'm1'), turn(other, 'm2'))}; while :; do sleep 0.05; done`), claude],
      lateMismatch: [shell(say(turn(other, 'm1'), RESULT)), claude],
      unproven: [shell(say(turn(mine, 'm1'), RESULT)), served({ minimumSource: 'wire' })],
      unknown: [shell('touch "$OUT/ran"'), served({ selectedModelRef: 'claude/nobody@1' })],
      noEnd: [shell(say(turn(mine, 'm1'))), claude],
    });
  });
  afterAll(() => ended.run.remove());

  it('AR-10 RT-6 every turn is attested, and the session that the agent reports is kept', async () => {
    expect(await ended.run.sidecar(ended.jobs.exact)).toMatchObject({
      stage: 'exited',
      endEvidence: 'positive',
      reportedSessionId: 's-1',
      servedModel: { level: 'exact', normalizedModelRef: SELECTED, source: 'stream', turns: 2 },
      usage: { inputTokens: 5, outputTokens: 7 },
    });
  });

  it('AR-9 a worker that is served by another model is ended as soon as it is seen', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.changed);
    expect(sidecar).toMatchObject({ stage: 'served-model-mismatch', signal: 'SIGKILL' });
    expect(sidecar?.servedModel.reported).toContain('other-1');
  });

  it('AR-9 a mismatch in the last words of an agent that ended by itself outranks its end', async () => {
    expect((await ended.run.sidecar(ended.jobs.lateMismatch))?.stage).toBe('served-model-mismatch');
  });

  it('AR-10 an attempt that stays below the demanded source ends like a mismatch', async () => {
    expect((await ended.run.sidecar(ended.jobs.unproven))?.stage).toBe('served-model-mismatch');
  });

  it('a selected model that the order’s pool does not hold fails the launch', async () => {
    expect((await ended.run.sidecar(ended.jobs.unknown))?.stage).toBe('launch-failed');
    expect(await ended.run.read('out/ran')).toBeUndefined();
  });

  it('ST-7 an agent with end evidence of its own that exits 0 without it has none', async () => {
    const sidecar = await ended.run.sidecar(ended.jobs.noEnd);
    expect(sidecar).toMatchObject({ stage: 'exited', exitCode: 0, endEvidence: 'absent' });
  });
});

describe('much output', () => {
  it('a hundred megabytes cost no memory, and the log keeps the last of them in two files at most', async () => {
    const flood = 'head -c 100000000 /dev/zero | tr "\\\\0" "x" | fold -w 4000; echo; echo "the last line"';
    const job = await run.job(
      shell(
        `while [ ! -e "$OUT/go" ]; do sleep 0.05; done; ${flood}; echo x > "$OUT/flooded"; while [ ! -e "$OUT/end" ]; do sleep 0.05; done`,
      ),
    );
    const supervisor = launchSupervisor(run.order([job], { maxLogBytes: 1_000_000 }));
    await supervisor.line('launched');
    const beforeBytes = await peakMemory(supervisor.child.pid);
    await writeFile(run.path('out/go'), '');
    await until('the flood is over', () => run.read('out/flooded'));
    const grownBytes = (await peakMemory(supervisor.child.pid)) - beforeBytes;
    await writeFile(run.path('out/end'), '');
    await supervisor.ended;
    expect(grownBytes).toBeLessThan(50_000_000);
    const sidecar = await run.sidecar(job);
    expect(sidecar?.logBytes).toBeGreaterThan(100_000_000);
    expect(sidecar?.lastLine).toBe('the last line');
    const sizes = [(await stat(job.logPath)).size, (await stat(rotatedLogPath(job.logPath))).size];
    for (const size of sizes) expect(size).toBeLessThanOrEqual(1_000_000);
    expect((await readFile(job.logPath, 'utf8')).endsWith('the last line\n')).toBe(true);
  });

  it('an agent whose log can not be written any more runs on, and the sidecar says that output was lost', async () => {
    const job = await run.job(shell('echo before; while [ ! -e "$OUT/go" ]; do sleep 0.05; done; echo after'));
    const supervisor = launchSupervisor(run.order([job], { maxLogBytes: 4 }));
    await supervisor.line('launched');
    await until('the first line', async () => (await run.log(job)) !== '');
    // A folder at the name of the predecessor makes the rotation fail.
    await mkdir(rotatedLogPath(job.logPath));
    await writeFile(run.path('out/go'), '');
    await supervisor.ended;
    const sidecar = await run.sidecar(job);
    expect(sidecar).toMatchObject({ stage: 'exited', exitCode: 0, lastLine: 'after' });
    expect(sidecar?.reason).toContain('output was lost');
  });
});

async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
