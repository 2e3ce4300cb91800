import { encodeFileName } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NO_SESSION_ID,
  newBatchId,
  newRunId,
  newSessionId,
  parseBatchId,
  parseGivenSessionId,
  parseRunId,
  parseSessionId,
} from '../../src/index.ts';
import { refusal } from '../expect-code.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const date = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('new ids', () => {
  it('a run id says its second in UTC', () => {
    expect(newRunId(new Date('2026-11-29T16:18:00.999Z'), '4f9a2c')).toBe('r-20261129-161800-4f9a2c');
  });

  it('run ids sort as their seconds do and are their own file names', () => {
    fc.assert(
      fc.property(date, date, (one, other) => {
        const [a, b] = [newRunId(one), newRunId(other)];
        expect(parseRunId(a)).toBe(a);
        expect(encodeFileName(a)).toBe(a);
        const [secondA, secondB] = [one, other].map((at) => Math.floor(at.getTime() / 1000));
        if (secondA !== secondB) expect(a < b).toBe(Number(secondA) < Number(secondB));
      }),
    );
  });

  it('a run id is refused for a time or a random part that would break it', () => {
    refusal('RUN_ID_INVALID', () => newRunId(new Date(Number.NaN)));
    refusal('RUN_ID_INVALID', () => newRunId(new Date(8.64e15)));
    refusal('RUN_ID_INVALID', () => newRunId(new Date(0), '../x'));
    refusal('RUN_ID_INVALID', () => newRunId(new Date(0), ''));
  });

  it('run ids of one second differ', () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 50 }, () => newRunId(now))).size).toBe(50);
  });

  it('batch and session ids are new each time and hold a UUID of version 4', () => {
    const [batch, session] = [newBatchId(), newSessionId()];
    expect(parseBatchId(batch).replace(/^b-/, '')).toMatch(uuid);
    expect(parseSessionId(session)).toMatch(uuid);
    expect(newBatchId()).not.toBe(batch);
    expect(newSessionId()).not.toBe(session);
  });

  it('RT-2 the session that an attempt was given is an id or the empty string, nothing else', () => {
    expect(parseGivenSessionId('')).toBe(NO_SESSION_ID);
    expect(parseGivenSessionId('ses_01H')).toBe('ses_01H');
    for (const bad of [null, undefined, ' ', '--continue', 3])
      refusal('SESSION_ID_INVALID', () => parseGivenSessionId(bad));
  });
});
