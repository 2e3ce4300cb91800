import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type DispatchRecord,
  dispatchRecordCodec,
  factsOfRecord,
  type RunLayout,
  recordPathOf,
  surveyAttempts,
} from '../src/index.ts';
import { acceptedOf } from './support/fixtures.ts';
import { attemptOf, bareRun } from './support/samples.ts';

/** More than a survey reads again and again. */
const MANY = 80;

function store(layout: RunLayout, record: DispatchRecord): string {
  const path = recordPathOf(layout, record.dispatchId);
  writeFileSync(path, JSON.stringify(dispatchRecordCodec.encode(record)));
  return path;
}

function settled(at: number): DispatchRecord {
  return attemptOf({ invocation: `inv-${at}`, like: 'unsealed' });
}

function largeRun(count = MANY): { readonly layout: RunLayout; readonly records: readonly DispatchRecord[] } {
  const layout = bareRun();
  const records = Array.from({ length: count }, (_, at) => settled(at + 1));
  for (const record of records) store(layout, record);
  return { layout, records };
}

async function idsOf(layout: RunLayout): Promise<readonly string[]> {
  return (await surveyAttempts(layout)).attempts.map(({ dispatchId }) => dispatchId).sort();
}

describe('the attempts of a run', () => {
  it('are what their records say, with or without a note of it', async () => {
    const { layout, records } = largeRun();
    const expected = new Map(records.map((record) => [record.dispatchId, factsOfRecord(record)]));
    for (const _ of ['from the records', 'from the log']) {
      const { attempts, unreadable } = await surveyAttempts(layout);
      expect(unreadable).toEqual([]);
      expect(new Map(attempts.map((attempt) => [attempt.dispatchId, attempt]))).toEqual(expected);
    }
    expect(readFileSync(layout.settledLogPath, 'utf8').match(/dispatchId/g)).toHaveLength(MANY);
  });

  it('keep the facts of every record of the corpus', () => {
    for (const { document, name } of acceptedOf('dispatch-record')) {
      const record = dispatchRecordCodec.decode(document, name);
      expect(record).toMatchObject(factsOfRecord(record));
    }
  });

  it('of a small run are read each time, and no log is made', async () => {
    const { layout } = largeRun(5);
    expect(await idsOf(layout)).toHaveLength(5);
    expect(existsSync(layout.settledLogPath)).toBe(false);
  });

  it('that can still change are read from their record every time', async () => {
    const { layout } = largeRun();
    const open = attemptOf({ invocation: 'inv-open' });
    store(layout, open);
    const statusNow = async () =>
      (await surveyAttempts(layout)).attempts.find(({ dispatchId }) => dispatchId === open.dispatchId)?.status;
    expect(await statusNow()).toBe('launching');
    store(layout, attemptOf({ invocation: 'inv-open', like: 'unsealed' }));
    expect(await statusNow()).toBe(settled(1).status);
  });

  it('that were settled since are found, and those whose record is gone are not', async () => {
    const { layout, records } = largeRun();
    await surveyAttempts(layout);
    const later = settled(MANY + 1);
    store(layout, later);
    const [gone] = records;
    if (gone !== undefined) rmSync(recordPathOf(layout, gone.dispatchId));
    const ids = await idsOf(layout);
    expect(ids).toContain(later.dispatchId);
    expect(ids).not.toContain(gone?.dispatchId);
    expect(ids).toHaveLength(MANY);
  });

  it('don’t depend on the log: torn, of a newer version, foreign, or gone', async () => {
    const { layout, records } = largeRun();
    const expected = records.map(({ dispatchId }) => dispatchId).sort();
    await surveyAttempts(layout);
    const whole = readFileSync(layout.settledLogPath, 'utf8');
    appendFileSync(layout.settledLogPath, '\n{"dispatchId":"inv');
    expect(await idsOf(layout)).toEqual(expected);
    writeFileSync(layout.settledLogPath, whole.replace('"1.0"', '"9.0"'));
    expect(await idsOf(layout)).toEqual(expected);
    writeFileSync(layout.settledLogPath, '{"schemaVersion":"1.0"}\n{"a":1}\n[]\n');
    expect(await idsOf(layout)).toEqual(expected);
    rmSync(layout.settledLogPath);
    expect(await idsOf(layout)).toEqual(expected);
  });

  it('are told where the log can’t be written', async () => {
    const { layout } = largeRun();
    mkdirSync(layout.settledLogPath);
    expect(await idsOf(layout)).toHaveLength(MANY);
  });

  it('AW-3 a record that can’t be read is named, and the others are there', async () => {
    const { layout, records } = largeRun(3);
    const [broken] = records;
    const path = recordPathOf(layout, broken?.dispatchId ?? settled(1).dispatchId);
    writeFileSync(path, '{');
    const { attempts, unreadable } = await surveyAttempts(layout);
    expect(attempts).toHaveLength(2);
    expect(unreadable).toMatchObject([{ path }]);
  });
});
