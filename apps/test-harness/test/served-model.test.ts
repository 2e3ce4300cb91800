import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeAgentRequest, fakeAgentCommand } from '@bailiwick/agent-fakes';
import { testBoundary } from '@bailiwick/process-supervision';
import { describe, expect, it } from 'vitest';
import { runCliJson, type TempProject } from '../src/index.ts';
import { project, type RunDocument } from './support.ts';

const boundary = await testBoundary({ path: process.env['PATH'] ?? '' });

interface StoredRecord {
  readonly lifecycle: { readonly end: string; readonly exitCode: number; readonly endEvidence: string };
  readonly servedModel: Readonly<Record<string, unknown>>;
  readonly retry: unknown;
  readonly result: { readonly artifacts: unknown };
  readonly dropBoxPath: string;
}

/** Qwen Code sits as the implementer: its stream says which model was asked for, its transcript which one served. */
async function qwenProject(as: FakeAgentRequest['as'], config: Readonly<Record<string, unknown>> = {}) {
  return project({
    config: {
      team: {
        implementer: { model: 'qwen/qwen3.7-max' },
        verifiers: [],
      },
      agents: { qwen: { command: fakeAgentCommand({ speak: 'qwen', ...(as === undefined ? {} : { as }) }) } },
      ...config,
    },
  });
}

async function implementerRecords({ runDirectory }: RunDocument): Promise<readonly StoredRecord[]> {
  const folder = join(runDirectory, 'dispatches');
  const names = (await readdir(folder)).filter((name) => name.includes('implementer') && name.endsWith('.json'));
  return Promise.all(
    names.map(async (name): Promise<StoredRecord> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
}

const start = (made: TempProject) => runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md']);

describe('a served model that only the agent’s transcript names', () => {
  it('AR-10 attests the attempt, and is enough for a run that demands one', async () => {
    const { exitCode, document } = await start(await qwenProject('work', { minimumModelSource: 'transcript' }));
    expect([exitCode, document.state]).toEqual([0, 'verified']);
    const [record] = await implementerRecords(document);
    expect(record?.servedModel).toMatchObject({
      level: 'channel',
      normalizedModelRef: 'qwen/qwen3.7-max',
      source: 'transcript',
      reported: ['qwen3.7-max'],
    });
  });

  it('AR-9 is a mismatch that is settled as one seen live: never completed although the artifacts are there, never retried', async () => {
    const { exitCode, document } = await start(await qwenProject('model-change'));
    expect(exitCode).toBe(1);
    const records = await implementerRecords(document);
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(record).toMatchObject({
      lifecycle: { end: 'served-model-mismatch', exitCode: 0, endEvidence: 'positive' },
      servedModel: { source: 'transcript', deviation: { raw: 'qwen3.6-flash', source: 'transcript' } },
    });
    expect(record?.retry ?? null).toBeNull();
    expect((await readdir(record?.dropBoxPath ?? '')).length).toBeGreaterThan(0);
    expect(document.attempts.map(({ workerId, status }) => [workerId, status])).toEqual([['implementer', 'error']]);
    expect(document.attempts[0]?.reason).toContain('served model differs');
  });

  it.skipIf(boundary.kind !== 'works')('AR-9 is found in the private HOME of an agent in a boundary', async () => {
    const { document } = await start(await qwenProject('wrong-model', { boundary: 'required' }));
    const [record] = await implementerRecords(document);
    expect(record?.lifecycle.end).toBe('served-model-mismatch');
  });
});
