import { isBackendError } from '@bailiwick/backend-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LAUNCH_TIMEOUT_MS, SUPERVISOR_ENVIRONMENT } from '../src/index.ts';
import { odd } from './support/odd-backend.ts';
import { makeBatch, type TestBatch } from './support/test-batch.ts';

let batch: TestBatch;
beforeEach(async () => {
  batch = await makeBatch();
});
afterEach(() => batch.remove());

async function failure(launching: Promise<unknown>): Promise<Error> {
  const error = await launching.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof Error) return error;
  throw new Error('it did not fail');
}

const noted = { onReady: () => undefined };

describe('a launch', () => {
  it('gives its supervisor nothing of the environment but what is listed, and never a secret', async () => {
    const environment = {
      PATH: '/bin',
      HOME: '/home/a',
      LANG: 'C',
      ANTHROPIC_API_KEY: 'hush',
      NODE_OPTIONS: '--inspect',
    };
    const error = await failure(odd('tells-its-environment', { environment }).launch(batch.order(), noted));
    expect(isBackendError(error) && error.code).toBe('LAUNCH_FAILED');
    expect(error.message).toContain('TOLD');
    const seen = JSON.parse(/\{.*\}/.exec(error.message)?.[0] ?? '{}');
    expect(seen).toEqual({ PATH: '/bin', HOME: '/home/a', LANG: 'C' });
    expect(SUPERVISOR_ENVIRONMENT).toEqual(['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'LANG']);
  });

  it('a supervisor that cannot be started is LAUNCH_FAILED', async () => {
    const error = await failure(odd('', { nodePath: '/no/such/node' }).launch(batch.order(), noted));
    expect(isBackendError(error) && error.code).toBe('LAUNCH_FAILED');
    expect(error.message).toContain('/no/such/node');
  });

  it('a supervisor that ends without a word is LAUNCH_FAILED, with what it complained of', async () => {
    const error = await failure(odd('complains').launch(batch.order(), noted));
    expect(isBackendError(error) && error.code).toBe('LAUNCH_FAILED');
    expect(error.message).toContain('no memory left');
  });

  it('a supervisor that says nothing is ended, and LAUNCH_FAILED', async () => {
    const order = batch.order();
    const error = await failure(odd('hangs', { launchTimeoutMs: 500 }).launch(order, noted));
    expect(isBackendError(error) && error.code).toBe('LAUNCH_FAILED');
    expect(error.message).toContain('500 ms');
    expect(DEFAULT_LAUNCH_TIMEOUT_MS).toBe(60_000);
  });

  it('a supervisor that dies after ready leaves jobs that failed to start, each with a reason', async () => {
    let readyCount = 0;
    const order = batch.order();
    const report = await odd('dies-after-ready').launch(order, { onReady: () => (readyCount += 1) });
    expect(readyCount).toBe(1);
    expect(report).toMatchObject({ started: [], queued: [], failed: [{ dispatchId: order.jobs[0]?.dispatchId }] });
    expect(report.failed[0]?.reason).toContain('never told');
  });

  it('an abort before ready ends the supervisor and rejects with the reason of the abort', async () => {
    const abort = new AbortController();
    const launching = failure(odd('hangs').launch(batch.order(), { ...noted, signal: abort.signal }));
    abort.abort(new Error('enough'));
    expect((await launching).message).toBe('enough');
    expect((await failure(odd('hangs').launch(batch.order(), { ...noted, signal: abort.signal }))).message).toBe(
      'enough',
    );
  });
});
