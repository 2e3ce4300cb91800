import type { SupervisedJob } from '@bailiwick/dispatch-state';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchSupervisor } from './support/launch.ts';
import { expectNothingLeft } from './support/nothing-left.ts';
import { makeTestRun, shell, type TestRun } from './support/test-run.ts';

let run: TestRun;
beforeEach(async () => {
  run = await makeTestRun();
});
afterEach(() => run.remove());
afterAll(expectNothingLeft);

describe('a limit on the workers of one provider', () => {
  it('lets no more of them run at once, and others pass those that wait for it', async () => {
    const alone = 'mkdir "$OUT/alone" || exit 9; sleep 0.1; rmdir "$OUT/alone"; echo x >> "$OUT/runs"';
    const waits = 'until [ -e "$OUT/go" ]; do sleep 0.05; done';
    const first = await run.job(shell(`${waits}; ${alone}`));
    const others = await Promise.all([1, 2].map(() => run.job(shell(alone))));
    const free = await run.job(shell('touch "$OUT/go"'), { provider: 'other' });
    const providerLimits = [{ provider: 'custom', maxConcurrent: 1 }];
    const order = run.order([first, ...others, free], { maxConcurrent: 3, providerLimits });
    const supervisor = launchSupervisor(order);
    await supervisor.ended;
    expect(supervisor.lines.filter(({ kind }) => kind === 'queued')).toHaveLength(2);
    for (const job of order.jobs) expect(await run.sidecar(job)).toMatchObject({ stage: 'exited', exitCode: 0 });
    expect(await run.read('out/runs')).toBe('x\n'.repeat(3));
  });
});

describe('a limit on cost', () => {
  const CLAUDE = { provider: 'claude', endEvidence: 'stream' } as const;

  /** What Claude prints at its end; any program may say it. */
  function saysItCost(usd: number): readonly string[] {
    return shell(`echo '{"type":"result","subtype":"success","is_error":false,"total_cost_usd":${usd}}'`);
  }

  async function superviseOneByOne(jobs: readonly SupervisedJob[], spentUsd: number): Promise<void> {
    const costLimit = { maxUsd: 1, spentUsd, sidecarPaths: jobs.map(({ sidecarPath }) => sidecarPath) };
    await launchSupervisor(run.order(jobs, { maxConcurrent: 1, costLimit })).ended;
  }

  it('that the ended ones reach stops those that wait, by name, and nothing of them runs', async () => {
    const dear = await run.job(saysItCost(0.75), CLAUDE);
    const waiting = [await run.job(shell('touch "$OUT/ran"')), await run.job(shell('touch "$OUT/ran"'))];
    await superviseOneByOne([dear, ...waiting], 0.25);
    expect(await run.sidecar(dear)).toMatchObject({ stage: 'exited', usage: { costUsd: 0.75 } });
    const reason = 'stopped by the cost limit of 1 USD: 1 USD are spent';
    for (const job of waiting)
      expect(await run.sidecar(job)).toMatchObject({ stage: 'stopped', process: null, reason });
    expect(await run.read('out/ran')).toBeUndefined();
  });

  it('that isn’t reached, or is told nothing of what ended, holds nobody back', async () => {
    const cheap = await run.job(saysItCost(0.5), CLAUDE);
    const silent = await run.job(shell('true'));
    const last = await run.job(shell('touch "$OUT/ran"'));
    await superviseOneByOne([cheap, silent, last], 0.25);
    expect(await run.sidecar(last)).toMatchObject({ stage: 'exited', exitCode: 0 });
  });
});
