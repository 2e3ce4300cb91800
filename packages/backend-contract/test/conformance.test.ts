import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backendConformance, type WorkerBackend } from '../src/index.ts';
import { idleBackend } from './support/idle-backend.ts';

function throwingBackend(): WorkerBackend {
  const fail = async (): Promise<never> => {
    throw new Error('broken');
  };
  return { ...idleBackend(), launch: fail, probe: fail, observe: fail, stop: fail };
}

/** Says that it has started and stopped everything. */
function lyingBackend(): WorkerBackend {
  const process = { hostId: 'h', bootId: 'b', pidNamespace: 'n', pid: 1, startTicks: '1' };
  return {
    ...idleBackend(),
    launch: async ({ jobs }, { onReady }) => {
      onReady();
      return { started: jobs.map(({ dispatchId }) => ({ dispatchId, process })), queued: [], failed: [] };
    },
    probe: async () => 'ended',
    stop: async (attempts) =>
      attempts.map(({ dispatchId }) => ({ dispatchId, isGone: true, endProof: 'search', endedProcesses: 0 })),
  };
}

describe.each([
  ['does nothing', idleBackend],
  ['always throws', throwingBackend],
  ['lies', lyingBackend],
])('a backend that %s', (_, makeBackend) => {
  it('keeps none of the promises, and the suite says why', async () => {
    const results = await Promise.all(backendConformance({ makeBackend, patienceMs: 200 }).map((check) => check.run()));
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ holds }) => holds).map(({ name }) => name)).toEqual([]);
    for (const { why } of results) expect(why).not.toBe('');
  });
});

describe('the suite', () => {
  it('tries each of the promises', () => {
    const names = backendConformance({ makeBackend: idleBackend }).map(({ name }) => name);
    expect(new Set(names.map((name) => name.slice(0, 2)))).toEqual(new Set(['B1', 'B2', 'B3', 'B4', 'B5', 'B6']));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['nothing', idleBackend],
    ['nothing but throw', throwingBackend],
  ])('leaves nothing behind of a backend that can do %s', async (_, makeBackend) => {
    const workFolder = await mkdtemp(join(tmpdir(), 'contract-'));
    const checks = backendConformance({ makeBackend, patienceMs: 50, workFolder });
    await Promise.all(checks.map((check) => check.run()));
    expect(await readdir(workFolder)).toEqual([]);
    await rm(workFolder, { recursive: true });
  });
});
