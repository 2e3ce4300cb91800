import type { DispatchRecord } from '@bailiwick/dispatch-state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPhase, type PhaseStep } from '../../src/index.ts';
import { auditWith, completedRecord, failedRecord, launchingRecord, sampleRun } from '../support/sample-run.ts';

const RUN = sampleRun();
const NEVER = { mayRecover: false };
const AGAIN = { mayRecover: true };

function step(records: readonly DispatchRecord[], o = NEVER): PhaseStep {
  return nextPhase(RUN.manifest, records, o);
}

/** A step in words: kind, phase, and who is due for which invocation. */
function told(one: PhaseStep): string {
  if (one.kind === 'ended') return `ended ${one.outcome}`;
  if (one.kind === 'await') return `await ${one.phase}`;
  return `dispatch ${one.due.map((row) => `${row.execution.executionLabel} ${row.ordinal}`).join(', ')}`;
}

const IMPLEMENTED = completedRecord(RUN, 'implementer', {}, { at: 10 });
const VERIFIED = ['verifier-1', 'verifier-2'].map((label) => completedRecord(RUN, label, {}, { at: 20 }));
const REPORTED = completedRecord(RUN, 'report-writer', {}, { at: 30 });
const RETRY = {
  reason: 'missing',
  missingCompletionPaths: [],
  successor: launchingRecord(RUN, 'implementer', { attempt: 2 }).dispatchId,
};

describe('the next phase of a run', () => {
  it('goes from the implementer to all verifiers at once, to the report writer, to the end', () => {
    expect(told(step([]))).toBe('dispatch implementer 1');
    expect(told(step([launchingRecord(RUN, 'implementer')]))).toBe('await implement');
    expect(told(step([IMPLEMENTED]))).toBe('dispatch verifier-1 1, verifier-2 1');
    expect(told(step([IMPLEMENTED, ...VERIFIED]))).toBe('dispatch report-writer 1');
    expect(told(step([IMPLEMENTED, ...VERIFIED, REPORTED]))).toBe('ended verified');
  });

  it('dispatches the verifier that is left when another one was dispatched by hand', () => {
    expect(told(step([IMPLEMENTED, ...VERIFIED.slice(0, 1)]))).toBe('dispatch verifier-2 1');
  });

  it.each(['fail', null] as const)('ends as rejected when a verifier says %s, after the report', (verdict) => {
    const [first, second] = VERIFIED;
    if (first?.result == null || second === undefined) throw new Error('two verifiers verified');
    const rejected = { ...first, result: { ...first.result, verdict } };
    expect(told(step([IMPLEMENTED, rejected, second]))).toBe('dispatch report-writer 1');
    expect(told(step([IMPLEMENTED, rejected, second, REPORTED]))).toBe('ended rejected');
  });

  it('ends as failed, or as stopped, where a worker did not complete; no later phase begins', () => {
    expect(told(step([failedRecord(RUN, 'implementer', 'timed-out', { status: 'timeout' })]))).toBe('ended failed');
    expect(told(step([failedRecord(RUN, 'implementer', 'stopped', { status: 'stopped' })]))).toBe('ended stopped');
    const [first] = VERIFIED;
    if (first === undefined) throw new Error('a verifier verified');
    expect(told(step([IMPLEMENTED, first, failedRecord(RUN, 'verifier-2', 'exited')]))).toBe('ended failed');
  });

  it('RT-4 waits for a retry that is decided and not yet launched', () => {
    expect(told(step([failedRecord(RUN, 'implementer', 'exited', { retry: RETRY })]))).toBe('await implement');
    const second = completedRecord(RUN, 'implementer', {}, { attempt: 2 });
    expect(told(step([failedRecord(RUN, 'implementer', 'exited', { retry: RETRY }), second]))).toBe(
      'dispatch verifier-1 1, verifier-2 1',
    );
  });

  it.each(['lost', 'launch-failed', 'stopped'] as const)(
    'makes up for an attempt that ended as %s without a trace, by a new invocation',
    (end) => {
      const record = failedRecord(RUN, 'implementer', end);
      expect(told(step([record]))).toMatch(/^ended/);
      const again = step([record], AGAIN);
      expect(told(again)).toBe('dispatch implementer 2');
      expect(again.kind === 'dispatch' ? again.due[0]?.recoveryOf : undefined).toBe(record);
      const untouched = { ...record, contract: { audited: false, audit: null } };
      expect(told(step([untouched], AGAIN))).toBe('dispatch implementer 2');
    },
  );

  it('does not make up for an attempt that left a trace in the tree, or failed by its own fault', () => {
    const traces = [
      'mutation-present-unresolved',
      'contract-breached',
      'contract-failed-unattributed',
      'unverifiable',
    ] as const;
    for (const status of traces) {
      const contract = { audited: true, audit: auditWith({ status }) };
      expect(told(step([failedRecord(RUN, 'implementer', 'lost', { contract })], AGAIN))).toBe('ended failed');
    }
    for (const end of ['exited', 'timed-out', 'idle-timed-out', 'served-model-mismatch'] as const)
      expect(told(step([failedRecord(RUN, 'implementer', end)], AGAIN))).toBe('ended failed');
  });

  it('ends where one verifier can be made up for and another can not', () => {
    const records = [IMPLEMENTED, failedRecord(RUN, 'verifier-1', 'lost'), failedRecord(RUN, 'verifier-2', 'exited')];
    expect(told(step(records, AGAIN))).toBe('ended failed');
  });

  it('takes the later invocation by the event log, whatever the clock did', () => {
    const lost = failedRecord(RUN, 'implementer', 'lost', { dispatchedAt: '2026-11-29T17:00:00.000Z' }, { at: 0 });
    const done = completedRecord(
      RUN,
      'implementer',
      { dispatchedAt: '2026-11-29T16:00:00.000Z' },
      { at: 50, invocation: 2 },
    );
    for (const records of [
      [lost, done],
      [done, lost],
    ])
      expect(told(step(records, AGAIN))).toBe('dispatch verifier-1 1, verifier-2 1');
  });
});

describe('over any records', () => {
  const labels = ['implementer', 'verifier-1', 'verifier-2', 'report-writer'];
  const record = fc
    .record({
      label: fc.constantFrom(...labels),
      invocation: fc.integer({ min: 1, max: 2 }),
      attempt: fc.integer({ min: 1, max: 2 }),
      at: fc.integer({ min: 0, max: 3 }),
      end: fc.constantFrom(
        'completed',
        'launching',
        'retried',
        'exited',
        'lost',
        'stopped',
        'timed-out',
        'launch-failed',
      ),
      verdict: fc.constantFrom('pass', 'fail', null),
      trace: fc.boolean(),
    })
    .map(({ label, end, verdict, trace, ...choice }): DispatchRecord => {
      if (end === 'launching') return launchingRecord(RUN, label, choice);
      const done = completedRecord(RUN, label, {}, choice);
      if (end === 'completed') return done.result === null ? done : { ...done, result: { ...done.result, verdict } };
      if (end === 'retried') return failedRecord(RUN, label, 'exited', { retry: RETRY }, choice);
      const status = end === 'stopped' ? 'stopped' : end === 'timed-out' ? 'timeout' : 'error';
      const audit = auditWith({ status: trace ? 'mutation-present-unresolved' : 'failed-no-mutation' });
      return failedRecord(RUN, label, end as 'lost', { status, contract: { audited: true, audit } }, choice);
    });
  const records = fc.uniqueArray(record, { selector: (one) => one.dispatchId, maxLength: 12 });

  it('PL-3 an implementer is never due together with a verifier, and a report writer only alone', () => {
    fc.assert(
      fc.property(records, fc.boolean(), (all, mayRecover) => {
        const one = step(all, { mayRecover });
        if (one.kind !== 'dispatch') return;
        const roles = new Set(one.due.map((row) => row.execution.role));
        expect(roles.has('implementer') && roles.has('verifier')).toBe(false);
        if (roles.has('report-writer')) expect(one.due).toHaveLength(1);
      }),
    );
  });

  it('a later role is due only when every worker of the phases before has a completed attempt', () => {
    const before = {
      implementer: [],
      verifier: ['implementer'],
      'report-writer': ['implementer', 'verifier'],
    } as const;
    fc.assert(
      fc.property(records, fc.boolean(), (all, mayRecover) => {
        const one = step(all, { mayRecover });
        if (one.kind !== 'dispatch') return;
        const role = one.due[0]?.execution.role;
        const earlier: readonly string[] = role === 'verifier' || role === 'report-writer' ? before[role] : [];
        for (const execution of RUN.manifest.roleExecutions.filter((row) => earlier.includes(row.role))) {
          const own = all.filter((row) => row.roleExecutionRef === execution.roleExecutionRef);
          expect(own.some((row) => row.status === 'completed')).toBe(true);
        }
      }),
    );
  });

  it('the same manifest and records give the same step, in whatever order the records were read', () => {
    fc.assert(
      fc.property(records, fc.boolean(), fc.integer(), (all, mayRecover, seed) => {
        const shuffled = [...all].sort((a, b) => hash(a.dispatchId, seed) - hash(b.dispatchId, seed));
        expect(step(shuffled, { mayRecover })).toEqual(step(all, { mayRecover }));
      }),
    );
  });

  it('a finished run stays finished: recovering may begin something only where an attempt came to nothing', () => {
    fc.assert(
      fc.property(records, (all) => {
        const one = step(all);
        if (one.kind !== 'ended') return;
        expect(step(all)).toEqual(one);
        const again = step(all, AGAIN);
        if (one.outcome === 'verified' || one.outcome === 'rejected') expect(again).toEqual(one);
        else if (again.kind === 'dispatch')
          for (const row of again.due) if (row.recoveryOf !== null) expect(row.recoveryOf.status).not.toBe('completed');
      }),
    );
  });

  it('a new invocation is counted after those that there were, and only a recovery names one', () => {
    fc.assert(
      fc.property(records, (all) => {
        const one = step(all, AGAIN);
        if (one.kind !== 'dispatch') return;
        for (const { execution, ordinal, recoveryOf } of one.due) {
          const own = all.filter((row) => row.roleExecutionRef === execution.roleExecutionRef);
          expect(recoveryOf === null).toBe(own.length === 0);
          expect(ordinal).toBe(new Set(own.map((row) => row.invocationRef)).size + 1);
        }
      }),
    );
  });
});

function hash(text: string, seed: number): number {
  return Array.from(text).reduce((sum, char) => (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) | 0, seed);
}
