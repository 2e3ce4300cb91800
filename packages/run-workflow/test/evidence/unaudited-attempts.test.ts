import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readUnaudited, unauditedPathOf, writeUnaudited } from '@bailiwick/dispatch-state';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { readRun, verifyRun } from '../../src/index.ts';
import { bareProject, storeRun } from '../support/stored-run.ts';
import { completedUnaudited, launchingUnaudited, storeUnaudited } from '../support/unaudited-record.ts';

const LENIENT = { publicKeys: [], anchors: [], requireSigned: false };

async function scene(recordOf: typeof completedUnaudited = completedUnaudited) {
  const project = bareProject();
  const run = await storeRun(project);
  const record = recordOf(run);
  await storeUnaudited(run, record);
  const verified = async (o: Partial<typeof LENIENT> = {}) => {
    const found = await verifyRun(await readRun(project, run.manifest.runId), { ...LENIENT, ...o });
    // The text of the sample's task is another.
    const differences = found.differences.filter(({ code }) => code !== 'task-differs');
    return { ...found, codes: differences.map(({ code }) => code), differences };
  };
  return { layout: run.layout, record, verified };
}

describe('verifying a run with v1 jobs', () => {
  it('ID-1 EV-3 names them as attempts that nobody audited, which is no difference unless signatures are asked for', async () => {
    const { record, verified } = await scene();
    const { dispatchId } = record;
    expect(await verified()).toMatchObject({
      attempts: 1,
      unsettled: 0,
      seals: 0,
      codes: [],
      unaudited: [{ dispatchId, workerId: 'implementer', status: 'completed' }],
    });
    expect((await verified({ requireSigned: true })).codes).toEqual(['attempt-unsealed']);
  });

  it('counts one that runs as not settled', async () => {
    const { verified } = await scene(launchingUnaudited);
    expect(await verified({ requireSigned: true })).toMatchObject({ attempts: 1, unsettled: 1, codes: [] });
  });

  it('names a record that can’t be read, another end than its sidecar’s, a stranger and a copy that was changed', async () => {
    const { layout, record, verified } = await scene();
    await writeFile(join(layout.runDirectory, 'results/old/result.json'), '{"verdict":"fail"}');
    expect((await verified()).codes).toEqual(['artifact-differs']);
    const [stored = record] = await readUnaudited(layout);
    const lifecycle = stored.lifecycle === null ? null : { ...stored.lifecycle, exitCode: 1 };
    await writeUnaudited(layout, { ...stored, lifecycle, workerId: parseWorkerId('stranger') });
    expect((await verified()).codes).toEqual(['identity-differs', 'state-differs', 'artifact-differs']);
    const path = unauditedPathOf(layout, record.dispatchId);
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 40));
    expect(await verified()).toMatchObject({ codes: ['record-unreadable'], attempts: 1 });
  });
});
