import type { Lifecycle } from '@bailiwick/dispatch-state';
import { buildDispatchId, invocationIdOf, parseInvocationRef } from '@bailiwick/execution-identity';
import { type MutationAudit, unverifiableAudit } from '@bailiwick/mutation-audit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideOutcome, type OutcomeFacts } from '../../src/index.ts';

const REF = parseInvocationRef('run.implementer.1');

const WELL: Lifecycle = {
  end: 'exited',
  endProof: 'search',
  exitCode: 0,
  signal: null,
  endEvidence: 'positive',
  transientFailure: false,
};

function audit(status: MutationAudit['status'], messages: readonly string[] = []): MutationAudit {
  return {
    ...unverifiableAudit('the base of these examples'),
    status,
    retryAllowed: status === 'failed-no-mutation',
    violations: messages.map((message) => ({ code: 'outside-policy', path: 'src/a.js', message })),
  };
}

function facts(over: Partial<OutcomeFacts> = {}): OutcomeFacts {
  return {
    invocationRef: REF,
    attempt: 1,
    maxAttempts: 2,
    lifecycle: WELL,
    endReason: '',
    logPath: '/run/logs/a.log',
    missing: [],
    audit: audit('ok'),
    isStopped: false,
    abortReason: null,
    postProcessing: null,
    layerNote: '',
    ...over,
  };
}

const BARRING = [
  'unverifiable',
  'contract-breached',
  'contract-failed-unattributed',
  'mutation-present-unresolved',
] as const;

describe('the outcome of an attempt', () => {
  it('ST-1 is completed with positive evidence, every artifact and a clean audit', () => {
    expect(decideOutcome(facts())).toEqual({ status: 'completed', reason: '', retry: null, takesResult: true });
  });

  it('ST-1 completes a non-zero exit that changed nothing, and says so', () => {
    const outcome = decideOutcome(facts({ lifecycle: { ...WELL, exitCode: 3 }, audit: audit('failed-no-mutation') }));
    expect(outcome.status).toBe('completed');
    expect(outcome.reason).toContain('exit code 3');
  });

  it('ST-8 says beside a completion what a throw-away layer says of its verdict', () => {
    const lifecycle = { ...WELL, exitCode: 3 };
    const outcome = decideOutcome(facts({ lifecycle, layerNote: 'its verdict is void', audit: audit('ok') }));
    expect(outcome).toMatchObject({
      status: 'completed',
      reason: expect.stringMatching(/exit code 3.*; its verdict is void$/),
    });
  });

  it('ST-2 tells the hard from the idle limit', () => {
    const hard = decideOutcome(facts({ lifecycle: { ...WELL, end: 'timed-out' }, endReason: 'hard limit of 2 h' }));
    const idle = decideOutcome(
      facts({ lifecycle: { ...WELL, end: 'idle-timed-out' }, endReason: 'silent for 10 min' }),
    );
    expect([hard.status, idle.status]).toEqual(['timeout', 'timeout']);
    expect(hard.reason).not.toBe(idle.reason);
    expect(hard.reason).toContain('/run/logs/a.log');
  });

  it.each([124, 86])("ST-2 takes an agent's own exit code %i for an ordinary failure", (exitCode) => {
    const lifecycle = { ...WELL, exitCode, endEvidence: 'absent' } as const;
    expect(decideOutcome(facts({ lifecycle, audit: audit('failed-no-mutation') })).status).toBe('error');
  });

  it('ST-7 does not take exit code 0 for success without positive evidence', () => {
    const outcome = decideOutcome(
      facts({ lifecycle: { ...WELL, endEvidence: 'absent' }, audit: audit('failed-no-mutation') }),
    );
    expect(outcome.status).toBe('error');
    expect(outcome.reason).toContain('no evidence');
  });

  it('ST-9 settles a stopped worker as stopped and never retries it', () => {
    const outcome = decideOutcome(facts({ isStopped: true, missing: ['/a'], audit: audit('failed-no-mutation') }));
    expect(outcome.status).toBe('stopped');
    expect(outcome.retry).toBeNull();
  });

  it.each(BARRING)('MA-6 lets the verdict %s outrank a completion, without retry and without result', (status) => {
    const outcome = decideOutcome(facts({ audit: audit(status, ['src/a.js was changed']) }));
    expect(outcome).toMatchObject({ status: 'error', retry: null, takesResult: false });
    expect(outcome.reason).toContain('src/a.js was changed');
  });

  it('MA-6 names the limit beside the breach', () => {
    const outcome = decideOutcome(
      facts({
        lifecycle: { ...WELL, end: 'timed-out' },
        endReason: 'hard limit',
        audit: audit('mutation-present-unresolved'),
      }),
    );
    expect(outcome.status).toBe('error');
    expect(outcome.reason).toContain('hard limit');
  });

  it('RT-1 retries a process that ended well without its artifacts', () => {
    const outcome = decideOutcome(facts({ missing: ['/box/result.json'], audit: audit('failed-no-mutation') }));
    expect(outcome.retry).toEqual({
      reason: outcome.reason,
      missingCompletionPaths: ['/box/result.json'],
      successor: buildDispatchId(invocationIdOf(REF, 2), 2),
    });
  });

  it('RT-1 retries a failure that may pass by itself', () => {
    const lifecycle = { ...WELL, exitCode: 1, endEvidence: 'negative', transientFailure: true } as const;
    expect(decideOutcome(facts({ lifecycle, audit: audit('failed-no-mutation') })).retry).not.toBeNull();
  });

  it('RT-1 makes at most two attempts', () => {
    const outcome = decideOutcome(facts({ attempt: 2, missing: ['/a'], audit: audit('failed-no-mutation') }));
    expect(outcome).toMatchObject({ status: 'error', retry: null });
  });

  it('BA-3 settles a broken-off launch as an error with the failure as its reason and the breach added', () => {
    const outcome = decideOutcome(
      facts({
        abortReason: 'launch broken off: no such program',
        audit: audit('contract-breached', ['src/a.js was changed']),
      }),
    );
    expect(outcome.status).toBe('error');
    expect(outcome.reason).toMatch(/no such program.*src\/a\.js/);
  });

  it('ST-3 makes a failed post-processing step an error that is not retried', () => {
    const outcome = decideOutcome(facts({ postProcessing: { ok: false, steps: ['read-report'], reason: 'empty' } }));
    expect(outcome).toMatchObject({ status: 'error', retry: null, takesResult: false });
  });

  it('AR-9 never completes nor retries a served-model mismatch, though every artifact is there and the audit is clean', () => {
    for (const [status, transientFailure] of [
      ['ok', false],
      ['failed-no-mutation', false],
      ['failed-no-mutation', true],
    ] as const) {
      const lifecycle: Lifecycle = { ...WELL, end: 'served-model-mismatch', transientFailure };
      const outcome = decideOutcome(facts({ lifecycle, audit: audit(status), endReason: 'codex/gpt-5.5 answered' }));
      expect(outcome).toMatchObject({ status: 'error', retry: null, takesResult: false });
      expect(outcome.reason).toContain('codex/gpt-5.5 answered');
    }
  });

  it('RT-1 never retries after a mismatch, a violation, a stop, a limit or a failed launch, whatever else holds', () => {
    const ends = ['timed-out', 'idle-timed-out', 'served-model-mismatch', 'launch-failed', 'stopped', 'lost'] as const;
    const property = fc.property(
      fc.constantFrom(...ends),
      fc.constantFrom<MutationAudit['status']>('ok', 'failed-no-mutation', ...BARRING),
      fc.boolean(),
      (end, status, transientFailure) => {
        const lifecycle: Lifecycle = { ...WELL, end, transientFailure };
        return decideOutcome(facts({ lifecycle, audit: audit(status), missing: ['/a'] })).retry === null;
      },
    );
    fc.assert(property);
  });

  it('ST-1 never completes without positive evidence, all artifacts and a clean audit', () => {
    const property = fc.property(
      fc.constantFrom<Lifecycle['endEvidence']>('positive', 'negative', 'absent'),
      fc.constantFrom<Lifecycle['end']>('exited', 'timed-out', 'lost', 'stopped', 'served-model-mismatch'),
      fc.constantFrom<MutationAudit['status']>('ok', 'failed-no-mutation', ...BARRING),
      fc.constantFrom<readonly string[]>([], ['/a']),
      (endEvidence, end, status, missing) => {
        const outcome = decideOutcome(
          facts({ lifecycle: { ...WELL, endEvidence, end }, audit: audit(status), missing }),
        );
        const isSound =
          endEvidence === 'positive' &&
          end === 'exited' &&
          missing.length === 0 &&
          (status === 'ok' || status === 'failed-no-mutation');
        return (outcome.status === 'completed') === isSound;
      },
    );
    fc.assert(property);
  });
});
