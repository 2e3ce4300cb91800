import { appendFileSync } from 'node:fs';
import { parseBatchId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { appendSelection, readSelections, type Selection } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { bareRun, workers } from './support/samples.ts';

const selection = (batch: string, changes: Partial<Selection> = {}): Selection => ({
  at: '2026-11-29T16:20:00.000Z',
  batchId: parseBatchId(batch),
  selected: workers('implementer'),
  skipped: workers('verifier-1').map((workerId) => ({ workerId, reason: 'left aside by --workers' })),
  ...changes,
});

describe('the selections of a run', () => {
  it('PL-1 are kept with their reasons, in the order of the commands', async () => {
    const layout = bareRun();
    const made = [selection('b-1'), selection('b-2', { skipped: [] })];
    for (const one of made) await appendSelection(layout, one);
    expect(await readSelections(layout)).toEqual(made);
  });

  it('pass over lines that are torn or not theirs', async () => {
    const layout = bareRun();
    await appendSelection(layout, selection('b-1'));
    appendFileSync(layout.selectionsLogPath, '\n{"at":\n{"batchId":"b-2"}\n');
    await appendSelection(layout, selection('b-3'));
    expect((await readSelections(layout)).map(({ batchId }) => batchId)).toEqual(['b-1', 'b-3']);
  });

  it('take nothing that could not be read again', async () => {
    const layout = bareRun();
    await errorOf('LOG_ROW_INVALID', () => appendSelection(layout, selection('b-1', { at: 'yesterday' })));
    expect(await readSelections(layout)).toEqual([]);
  });
});
