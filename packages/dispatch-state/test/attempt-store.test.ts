import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFileName } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import {
  claimAttempt,
  closeAttempt,
  type DispatchRecord,
  dispatchRecordCodec,
  dropMarker,
  layoutOfRun,
  listOpenAttempts,
  openMarkerOf,
  type RunLayout,
  readAllRecords,
  readRecord,
  recordPathOf,
  requireRecord,
  surveyOpenAttempts,
  surveyRecords,
  withRunLock,
  writeRecord,
} from '../src/index.ts';
import { raceOf } from './support/child-program.ts';
import { errorOf, fileErrorOf } from './support/errors.ts';
import { attemptOf, bareRun, recordLike } from './support/samples.ts';
import { tempFolder } from './support/temp-folder.ts';

// Eight processes start at the same time; on two cores that alone takes seconds.
const SLOW_MS = 120_000;

describe('a claim', () => {
  it('leaves a marker and the record, and the attempt is open until it is closed', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    expect(await readRecord(layout, record.dispatchId)).toEqual(record);
    expect(await listOpenAttempts(layout)).toEqual([{ markerName: encodeFileName(record.dispatchId), record }]);
    await closeAttempt(layout, record.dispatchId);
    expect(await listOpenAttempts(layout)).toEqual([]);
    await closeAttempt(layout, record.dispatchId);
  });

  it('BA-6 of a claimed attempt is refused by name, and neither record nor markers change', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    await writeRecord(layout, attemptOf({ like: 'completed' }));
    await closeAttempt(layout, record.dispatchId);
    const error = await errorOf('ATTEMPT_ALREADY_CLAIMED', () => claimAttempt(layout, record));
    expect(error).toMatchObject({ names: [record.dispatchId], path: recordPathOf(layout, record.dispatchId) });
    expect((await requireRecord(layout, record.dispatchId)).status).toBe('completed');
    expect(await listOpenAttempts(layout)).toEqual([]);
  });

  it(
    'BA-6 of one attempt by eight processes at once is one claim',
    async () => {
      const { stateRoot, layout, recordPath } = runOnDisk(attemptOf({}));
      const batches = Array.from({ length: 8 }, (_, at) => `b-${at}`);
      const ends = await raceOf(
        'claim',
        batches.map((batchId) => [stateRoot, recordPath, batchId]),
      );
      const words = ends.flatMap(({ lines }) => lines);
      const claimed = words.filter((word) => word !== 'ATTEMPT_ALREADY_CLAIMED');
      expect(words).toHaveLength(8);
      expect(claimed).toHaveLength(1);
      const [open, ...others] = await listOpenAttempts(layout);
      expect(others).toEqual([]);
      expect(claimed).toEqual([`claimed as ${open?.record?.batchId}`]);
    },
    SLOW_MS,
  );

  it(
    'killed between marker and record leaves a dead marker, a free lock and an attempt that can be claimed',
    async () => {
      const record = attemptOf({});
      const { stateRoot, layout, recordPath } = runOnDisk(record);
      const [end] = await raceOf('die-in-claim', [[stateRoot, recordPath]]);
      expect(end?.signal).toBe('SIGKILL');
      expect(existsSync(openMarkerOf(layout, record.dispatchId))).toBe(true);
      expect(readdirSync(layout.dispatchesFolder)).toEqual([]);
      const markerName = encodeFileName(record.dispatchId);
      expect(await listOpenAttempts(layout)).toEqual([{ markerName, record: undefined }]);
      await withRunLock(layout, () => dropMarker(layout, markerName));
      expect(await listOpenAttempts(layout)).toEqual([]);
      await withRunLock(layout, () => claimAttempt(layout, record));
      expect(await readRecord(layout, record.dispatchId)).toEqual(record);
    },
    SLOW_MS,
  );

  it('goes through over the marker that a killed claim left', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    writeFileSync(openMarkerOf(layout, record.dispatchId), '');
    await claimAttempt(layout, record);
    expect((await listOpenAttempts(layout)).map((open) => open.record?.dispatchId)).toEqual([record.dispatchId]);
  });

  it('that finds its record made in the meantime is refused like any other', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    const late = {
      ...record,
      get runId() {
        // Another claim comes between the look for a record and the write of this one.
        writeFileSync(recordPathOf(layout, record.dispatchId), JSON.stringify(dispatchRecordCodec.encode(record)));
        return record.runId;
      },
    };
    const error = await errorOf('ATTEMPT_ALREADY_CLAIMED', () => claimAttempt(layout, late));
    expect(error.cause).toMatchObject({ code: 'FILE_EXISTS' });
  });
});

describe('listOpenAttempts', () => {
  it('opens nothing but what is open, however much is settled', async () => {
    const layout = bareRun();
    // Whoever opened one of these would be told that it is damaged.
    for (let at = 0; at < 300; at += 1) writeFileSync(join(layout.dispatchesFolder, `inv-${at}.json`), 'settled');
    const record = attemptOf({ invocation: 'still-open' });
    await claimAttempt(layout, record);
    expect((await listOpenAttempts(layout)).map((open) => open.record)).toEqual([record]);
  });

  it('AW-3 throws a record that can not be read, and the survey tells the others all the same', async () => {
    const layout = bareRun();
    const [damaged, sound] = [attemptOf({ invocation: 'inv-1' }), attemptOf({ invocation: 'inv-2' })];
    for (const record of [damaged, sound]) await claimAttempt(layout, record);
    const path = recordPathOf(layout, damaged.dispatchId);
    writeFileSync(path, 'x');
    await fileErrorOf('DOCUMENT_DAMAGED', () => listOpenAttempts(layout));
    const { attempts, unreadable } = await surveyOpenAttempts(layout);
    expect(attempts.map(({ record }) => record?.dispatchId)).toEqual([sound.dispatchId]);
    expect(unreadable).toMatchObject([{ path, error: { code: 'DOCUMENT_DAMAGED' } }]);
  });
});

describe('the records of a run', () => {
  it('are all read, and of a damaged one its bytes are kept aside, which is no record', async () => {
    const layout = bareRun();
    const records = [1, 2].map((attempt) => attemptOf({ attempt }));
    for (const record of records) await claimAttempt(layout, record);
    expect(await readAllRecords(layout)).toEqual(records);
    const path = recordPathOf(layout, attemptOf({ attempt: 2 }).dispatchId);
    writeFileSync(path, '{');
    await fileErrorOf('DOCUMENT_DAMAGED', () => readAllRecords(layout));
    const survey = await surveyRecords(layout);
    expect(survey.records).toEqual(records.slice(0, 1));
    expect(survey.unreadable.map((row) => row.path)).toEqual([path]);
    rmSync(path);
    expect(await readAllRecords(layout)).toEqual(records.slice(0, 1));
  });

  it('have RECORD_MISSING for one that was never claimed', async () => {
    const layout = bareRun();
    const { dispatchId } = attemptOf({});
    expect(await readRecord(layout, dispatchId)).toBeUndefined();
    const error = await errorOf('RECORD_MISSING', () => requireRecord(layout, dispatchId));
    expect(error.path).toBe(recordPathOf(layout, dispatchId));
  });

  it('ST-1 never hold an end that can not be, and the record stays as it was', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    const { lifecycle } = recordLike('completed');
    const impossible = recordLike('completed', { lifecycle: lifecycle && { ...lifecycle, end: 'lost' } });
    await fileErrorOf('DOCUMENT_INVALID', () => writeRecord(layout, impossible));
    expect(await readRecord(layout, record.dispatchId)).toEqual(record);
  });

  it('RT-3 hold all that was recorded, whichever way they ended', async () => {
    const layout = bareRun();
    for (const like of ['completed', 'error-with-retry', 'error-mismatch', 'timeout', 'stopped', 'error-cut-off']) {
      const record = recordLike(like);
      await writeRecord(layout, record);
      expect(await requireRecord(layout, record.dispatchId)).toEqual(record);
    }
  });
});

/** A run's folders below a state root, with a record beside them for programs to claim. */
function runOnDisk(record: DispatchRecord): {
  readonly stateRoot: string;
  readonly layout: RunLayout;
  readonly recordPath: string;
} {
  const layout = bareRun();
  const stateRoot = join(layout.runDirectory, '..', '..');
  const recordPath = join(tempFolder(), 'record.json');
  writeFileSync(recordPath, JSON.stringify(dispatchRecordCodec.encode(record)));
  expect(layoutOfRun(stateRoot, record.runId)).toEqual(layout);
  return { stateRoot, layout, recordPath };
}
