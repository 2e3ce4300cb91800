import { encodeFileName } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IdentityErrorCode,
  isBatchId,
  isDispatchId,
  isDutyId,
  isExecutionLabel,
  isInvocationId,
  isInvocationRef,
  isParticipantRef,
  isRoleExecutionRef,
  isRunId,
  isSessionId,
  isTaskKey,
  isWorkerId,
  parseBatchId,
  parseDispatchId,
  parseDutyId,
  parseExecutionLabel,
  parseInvocationId,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseRunId,
  parseSessionId,
  parseTaskKey,
  parseWorkerId,
} from '../../src/index.ts';
import { lineText, notText, refusedText } from '../arbitraries.ts';
import { refusal } from '../expect-code.ts';

interface Kind {
  readonly name: string;
  readonly code: IdentityErrorCode;
  readonly parse: (value: unknown, where?: string) => string;
  readonly is: (value: unknown) => boolean;
  readonly good: fc.Arbitrary<string>;
  readonly max: number;
  readonly bad: readonly string[];
}

const word = fc.stringMatching(/^[a-zA-Z0-9_.@/:][a-zA-Z0-9_.@/:-]{0,80}$/);
const segment = fc.stringMatching(/^[a-zA-Z0-9_é][a-zA-Z0-9_. é-]{0,40}[a-zA-Z0-9_]$/);
const runId = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,98}$/);
const taskKey = fc.tuple(segment, segment, segment).map((parts) => parts.join('/'));
const dispatchId = fc.tuple(lineText(180), fc.integer({ min: 1, max: 999_999 })).map(([id, n]) => `${id}:attempt-${n}`);

const kinds: readonly Kind[] = [
  line('runId', 'RUN_ID_INVALID', parseRunId, isRunId, {
    good: runId,
    max: 100,
    bad: ['a/b', '.hidden', '-x', 'ä', 'a b'],
  }),
  line('taskKey', 'TASK_KEY_INVALID', parseTaskKey, isTaskKey, {
    good: taskKey,
    bad: ['task', 'project/task', 'a/b/c/d', 'a//c', '/b/c', 'a/b/', '../b/c', 'a/./c', 'a/b/..', 'a/ b/c', 'a/b /c'],
  }),
  line('workerId', 'WORKER_ID_INVALID', parseWorkerId, isWorkerId, {
    good: word,
    bad: ['a,b', '-a', 'a b', '--all', ','],
  }),
  line('participantRef', 'PARTICIPANT_REF_INVALID', parseParticipantRef, isParticipantRef),
  line('roleExecutionRef', 'ROLE_EXECUTION_REF_INVALID', parseRoleExecutionRef, isRoleExecutionRef),
  line('invocationRef', 'INVOCATION_REF_INVALID', parseInvocationRef, isInvocationRef, { max: 160 }),
  line('invocationId', 'INVOCATION_ID_INVALID', parseInvocationId, isInvocationId, { max: 180 }),
  line('dispatchId', 'DISPATCH_ID_INVALID', parseDispatchId, isDispatchId, {
    good: dispatchId,
    max: 180,
    bad: [
      'inv',
      ':attempt-1',
      'inv:attempt-',
      'inv:attempt-0',
      'inv:attempt-01',
      'inv:attempt-1.0',
      'inv:attempt--1',
      'inv:attempt-1000000',
      ' :attempt-1',
      `${'i'.repeat(181)}:attempt-1`,
    ],
  }),
  line('batchId', 'BATCH_ID_INVALID', parseBatchId, isBatchId),
  line('executionLabel', 'EXECUTION_LABEL_INVALID', parseExecutionLabel, isExecutionLabel),
  line('dutyId', 'DUTY_ID_INVALID', parseDutyId, isDutyId),
  line('sessionId', 'SESSION_ID_INVALID', parseSessionId, isSessionId, { good: word, bad: ['--resume', 'a b'] }),
];

describe.each(kinds)('$name', ({ name, code, parse, is, good, max, bad }) => {
  it('ID-4 comes back unchanged from its parser, through JSON too', () => {
    fc.assert(
      fc.property(good, (text) => {
        expect(parse(JSON.parse(JSON.stringify(text)))).toBe(text);
        expect(is(text)).toBe(true);
      }),
    );
  });

  it('is refused with a control character, line break, white space at an end, when empty or too long', () => {
    fc.assert(
      fc.property(refusedText, (text) => {
        expect(is(text)).toBe(false);
        expect(refusal(code, () => parse(text)).field).toBe(name);
      }),
    );
  });

  it('is refused when it is no string, whatever it is', () => {
    fc.assert(
      fc.property(notText, (value) => {
        expect(is(value)).toBe(false);
        refusal(code, () => parse(value));
      }),
    );
  });

  it('is accepted up to its longest form and refused above it', () => {
    const [start, tail] = name === 'taskKey' ? ['a/b/', ''] : ['', name === 'dispatchId' ? ':attempt-1' : ''];
    const filled = (length: number) => `${start}${'x'.repeat(length - start.length)}${tail}`;
    expect(parse(filled(max))).toBe(filled(max));
    refusal(code, () => parse(filled(max + 1)));
  });

  it('becomes a file name that is safe on every platform and its own', () => {
    fc.assert(
      fc.property(good, good, (one, other) => {
        const name = encodeFileName(parse(one));
        expect(name).toMatch(/^[a-z0-9%_-](?:[a-z0-9%._-]*[a-z0-9%_-])?$/);
        expect(`${name}.json.meta.json`.length).toBeLessThan(255);
        expect(name === encodeFileName(parse(other))).toBe(one === other);
      }),
    );
  });

  it('is refused in the forms that its kind excludes, with the place named', () => {
    for (const text of bad) {
      expect(is(text)).toBe(false);
      const error = refusal(code, () => parse(text, 'jobs.json'));
      expect(error.path).toBe('jobs.json');
      expect(error.message).toMatch(/^jobs\.json: /);
      expect(error.hint).toBeTruthy();
    }
  });
});

describe('messages about ids', () => {
  it('never carry a character that a terminal obeys', () => {
    fc.assert(
      fc.property(refusedText, (text) => {
        const { message } = refusal('WORKER_ID_INVALID', () => parseWorkerId(text));
        expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect(message.length).toBeLessThan(800);
      }),
    );
  });
});

function line(
  name: string,
  code: IdentityErrorCode,
  parse: Kind['parse'],
  is: Kind['is'],
  o: { good?: fc.Arbitrary<string>; max?: number; bad?: readonly string[] } = {},
): Kind {
  const max = o.max ?? 200;
  return { name, code, parse, is, max, good: o.good ?? lineText(max), bad: o.bad ?? [' x', 'x ', 'x\n', '\u0000'] };
}
