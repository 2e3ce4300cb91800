import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  appendLeadEvent,
  commonDetailsOf,
  eventKeyOf,
  type LeadEvent,
  LeadEventType,
  logSizeOf,
  readLeadEvents,
} from '../src/index.ts';
import { raceOf } from './support/child-program.ts';
import { errorOf, fileErrorOf } from './support/errors.ts';
import { accepted } from './support/fixtures.ts';
import { attemptOf, recordLike } from './support/samples.ts';
import { tempFolder } from './support/temp-folder.ts';

// Four processes start and flush fifty rows each.
const SLOW_MS = 120_000;

const event = (name: string): LeadEvent => accepted('lead-event', name) as LeadEvent;
const newLog = (): string => join(tempFolder(), 'lead-events.jsonl');

describe('lead events', () => {
  it('EV-1 are of these types', () => {
    expect(Object.values(LeadEventType)).toEqual([
      'worker-dispatched',
      'worker-retry-scheduled',
      'worker-result-collected',
      'worker-failed',
    ]);
  });

  it('EV-1 are read in the order of appending, from a log that says its version first', async () => {
    const log = newLog();
    const events = ['dispatched', 'failed', 'retry-scheduled', 'result-collected'].map(event);
    for (const one of events) await appendLeadEvent(log, one);
    expect(await readLeadEvents(log)).toEqual({ events, unreadable: 0 });
    expect(readFileSync(log, 'utf8').split('\n')[0]).toBe('{"schemaVersion":"1.0"}');
  });

  it('are none where there is no log yet', async () => {
    expect(await readLeadEvents(newLog())).toEqual({ events: [], unreadable: 0 });
  });

  it('EV-1 that are torn, foreign or of another type cost only themselves, and are counted', async () => {
    const log = newLog();
    await appendLeadEvent(log, event('dispatched'));
    appendFileSync(log, '\n{"at":"2026-11-29T16:20:00.000Z","type":"worker-di');
    appendFileSync(log, `\n${JSON.stringify({ ...event('failed'), type: 'worker-bored' })}\n`);
    appendFileSync(log, '\nnot JSON\n\n[1,2]\n');
    await appendLeadEvent(log, event('failed'));
    expect(await readLeadEvents(log)).toEqual({ events: [event('dispatched'), event('failed')], unreadable: 4 });
  });

  it('EV-1 after a torn last line begin on a line of their own', async () => {
    const log = newLog();
    await appendLeadEvent(log, event('dispatched'));
    const whole = await logSizeOf(log);
    await appendLeadEvent(log, event('failed'));
    truncateSync(log, whole + 40);
    await appendLeadEvent(log, event('retry-scheduled'));
    expect(await readLeadEvents(log)).toEqual({
      events: [event('dispatched'), event('retry-scheduled')],
      unreadable: 1,
    });
  });

  it('are read from where the log ended when an attempt was claimed', async () => {
    const log = newLog();
    for (const name of ['dispatched', 'failed']) await appendLeadEvent(log, event(name));
    const offset = await logSizeOf(log);
    await appendLeadEvent(log, event('result-collected'));
    expect((await readLeadEvents(log, offset)).events).toEqual([event('result-collected')]);
    expect((await readLeadEvents(log, await logSizeOf(log))).events).toEqual([]);
  });

  it(
    "EV-1 of four processes at once are all there, whole, each process's in its order",
    async () => {
      const log = newLog();
      const eventPath = join(tempFolder(), 'event.json');
      writeFileSync(eventPath, JSON.stringify(event('failed')));
      const marks = ['a', 'b', 'c', 'd'];
      await raceOf(
        'append-events',
        marks.map((mark) => [log, eventPath, '50', mark]),
      );
      const { events, unreadable } = await readLeadEvents(log);
      expect(unreadable).toBe(0);
      const reasons = events.map((one) => (one.type === 'worker-failed' ? one.details.reason : ''));
      for (const mark of marks)
        expect(reasons.filter((reason) => reason.startsWith(mark))).toEqual(
          Array.from({ length: 50 }, (_, at) => `${mark} ${at}`),
        );
    },
    SLOW_MS,
  );

  it('EV-1 that do not fit their type are refused, and nothing is appended', async () => {
    const log = newLog();
    const bad = { ...event('dispatched'), type: 'worker-failed' } as LeadEvent;
    const { issues } = await errorOf('LOG_ROW_INVALID', () => appendLeadEvent(log, bad));
    expect(issues?.map(({ path }) => path)).toContain('/details/reason');
    expect(await logSizeOf(log)).toBe(0);
  });

  it('of a log of a newer version are refused, never guessed at', async () => {
    const log = newLog();
    writeFileSync(log, '{"schemaVersion":"2.0"}\n');
    await fileErrorOf('DOCUMENT_NEWER_VERSION', () => readLeadEvents(log));
  });
});

describe('an event of a record', () => {
  it('ID-6 carries its identity as the record has it, and no worker id', () => {
    const record = attemptOf({ worker: 'verifier-1', attempt: 2 });
    const details = commonDetailsOf(record);
    const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = record;
    expect(details).toMatchObject({ participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt });
    expect(Object.keys(details)).not.toContain('workerId');
  });

  it('CX-3 says where the worker really ran, and what was wanted', () => {
    expect(commonDetailsOf(recordLike('degraded'))).toMatchObject({
      dispatchMode: 'cli-wrapper',
      degradedFrom: 'cmux-pane',
    });
  });

  it('ST-4 is known by its attempt and its type', () => {
    const details = commonDetailsOf(attemptOf({ attempt: 2 }));
    expect(eventKeyOf({ ...event('dispatched'), details } as LeadEvent)).toBe('inv-1~2:attempt-2 worker-dispatched');
    expect(eventKeyOf(event('dispatched'))).not.toBe(eventKeyOf(event('failed')));
  });
});
