import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isBackendError } from '@bailiwick/backend-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { odd } from './support/odd-backend.ts';
import { makeBatch, type TestBatch } from './support/test-batch.ts';

const noted = { onReady: () => undefined };

let batch: TestBatch;
beforeEach(async () => {
  batch = await makeBatch();
});
afterEach(() => batch.remove());

describe('a launch that was prepared', () => {
  it('uses the one supervisor that was started for it', async () => {
    const backend = odd('dies-after-ready');
    const before = children();
    const letGo = backend.prepare?.();
    const started = children().filter((pid) => !before.includes(pid));
    expect(started.length).toBe(1);
    const order = batch.order();
    const report = await backend.launch(order, noted);
    expect(report.failed).toMatchObject([{ dispatchId: order.jobs[0]?.dispatchId }]);
    expect(children().filter((pid) => !before.includes(pid) && !started.includes(pid))).toEqual([]);
    letGo?.();
  });

  it('that does not come leaves none behind: without an order it ends by itself', async () => {
    const backend = odd('reads-its-order');
    const before = children();
    backend.prepare?.()();
    for (let tries = 0; children().some((pid) => !before.includes(pid)); tries += 1) {
      expect(tries).toBeLessThan(1_000);
      await pause(10);
    }
  });

  it('is LAUNCH_FAILED at once where its supervisor could not be started, or ended before it was given its order', async () => {
    for (const nodePath of ['/no/such/node', '/bin/false']) {
      const backend = odd('', { nodePath });
      const before = children();
      backend.prepare?.();
      for (; children().some((pid) => !before.includes(pid)); ) await pause(10);
      const error: unknown = await backend.launch(batch.order(), noted).catch((caught: unknown) => caught);
      expect(isBackendError(error) && error.code).toBe('LAUNCH_FAILED');
    }
  });
});

/** The processes that this one has started and that still run. */
function children(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === String(process.pid));
}

function parentOf(pid: string): string | undefined {
  try {
    readlinkSync(`/proc/${pid}/exe`); // fails for a zombie
    return /^\d+ \(.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
