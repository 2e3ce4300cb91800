import { writeFileSync } from 'node:fs';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  liftStopIntent,
  listStopIntents,
  readStopIntent,
  type StopIntent,
  stopIntentPathOf,
  writeStopIntent,
} from '../src/index.ts';
import { fileErrorOf } from './support/errors.ts';
import { bareRun } from './support/samples.ts';

const stopOf = (workerId: string, by = 'team stop'): StopIntent => ({
  schemaVersion: '1.0',
  workerId: parseWorkerId(workerId),
  by,
  at: '2026-11-29T16:25:00.000Z',
});

describe('a stop intent', () => {
  it('AW-6 outlives whoever wrote it, until a person lifts it', async () => {
    const layout = bareRun();
    const stop = stopOf('implementer');
    await writeStopIntent(layout, stop);
    expect(await readStopIntent(layout, stop.workerId)).toEqual(stop);
    expect(await liftStopIntent(layout, stop.workerId)).toBe(true);
    expect(await readStopIntent(layout, stop.workerId)).toBeUndefined();
    expect(await liftStopIntent(layout, stop.workerId)).toBe(false);
  });

  it("AW-6 is one worker's: others are listed beside it, whatever their ids look like", async () => {
    const layout = bareRun();
    const stops = ['Verifier', 'verifier', 'a/../b', '概要'].map((id) => stopOf(id));
    for (const stop of stops) await writeStopIntent(layout, stop);
    const listed = await listStopIntents(layout);
    expect(listed).toHaveLength(4);
    expect(listed).toEqual(expect.arrayContaining([...stops]));
    expect(await readStopIntent(layout, parseWorkerId('other'))).toBeUndefined();
  });

  it('of the same worker again says who asked last', async () => {
    const layout = bareRun();
    await writeStopIntent(layout, stopOf('implementer'));
    await writeStopIntent(layout, stopOf('implementer', 'interrupt'));
    expect((await listStopIntents(layout)).map(({ by }) => by)).toEqual(['interrupt']);
  });

  it('AW-6 that can not be read is an error, so that nothing starts over it', async () => {
    const layout = bareRun();
    writeFileSync(stopIntentPathOf(layout, parseWorkerId('implementer')), '');
    await fileErrorOf('DOCUMENT_DAMAGED', () => readStopIntent(layout, parseWorkerId('implementer')));
    await fileErrorOf('DOCUMENT_DAMAGED', () => listStopIntents(layout));
  });

  it('is nowhere in a run that was never stopped', async () => {
    expect(await listStopIntents(bareRun())).toEqual([]);
  });
});
