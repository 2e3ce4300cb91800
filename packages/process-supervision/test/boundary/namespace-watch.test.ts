import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { NamespaceWatch } from '../../src/boundary/namespace-watch.ts';

/** No process: above the largest pid that Linux gives. */
const GONE_PID = 2 ** 22 + 1;

describe('what bubblewrap tells of its namespace', () => {
  it('is waited for where the agent ended before it was read', async () => {
    const status = new PassThrough();
    const watch = new NamespaceWatch(status);
    const isGone = watch.isGone();
    status.end(`{ "child-pid": ${GONE_PID}, "pid-namespace": 4026532 }\n{ "exit-code": 0 }\n`);
    expect(await isGone).toBe(true);
    expect(await watch.hasRun()).toBe(true);
  });

  it('proves nothing where it names no namespace, or says nothing at all', async () => {
    for (const words of ['', `{ "child-pid": ${GONE_PID} }\n`]) {
      const status = new PassThrough();
      const watch = new NamespaceWatch(status);
      status.end(words);
      expect([await watch.isGone(), await watch.hasRun()]).toEqual([false, false]);
    }
  });
});
