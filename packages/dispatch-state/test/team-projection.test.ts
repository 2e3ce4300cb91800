import {
  parseBatchId,
  parseExecutionLabel,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
  type WorkerId,
} from '@bailiwick/execution-identity';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DispatchRecord,
  isTerminalStatus,
  modeOf,
  projectTeamState,
  type RunManifest,
  type Selection,
  type TeamState,
  teamStateCodec,
} from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { attemptOf, manifestLike, workers } from './support/samples.ts';

const manifest = manifestLike('shared-tree');
const allWorkers = manifest.participants.map(({ workerId }) => workerId);
const at = (second: number): string => new Date(Date.UTC(2026, 10, 29, 17, 0, second)).toISOString();

function project(o: { records?: readonly DispatchRecord[]; selections?: readonly Selection[] } = {}): TeamState {
  return projectTeamState({ manifest, records: o.records ?? [], selections: o.selections ?? [], at: at(59) });
}

function rowOf(state: TeamState, worker: string) {
  return state.workers.find(({ workerId }) => workerId === worker);
}

function selection(selected: readonly string[], second: number, reason = 'left aside'): Selection {
  const skipped = allWorkers.filter((id) => !selected.includes(id)).map((workerId) => ({ workerId, reason }));
  return { at: at(second), batchId: parseBatchId(`b-${second}`), selected: workers(...selected), skipped };
}

describe('a worker without attempts', () => {
  it('is pending from the start of the run', () => {
    expect(project().workers).toEqual(
      allWorkers.map((workerId) => ({
        workerId,
        status: 'pending',
        reason: '',
        modelExecutionValue: null,
        updatedAt: manifest.createdAt,
      })),
    );
  });

  it('PL-1 is skipped, with a reason, by a command that left it aside', () => {
    const state = project({ selections: [selection(['implementer'], 1, 'left aside by --workers')] });
    expect(rowOf(state, 'verifier-1')).toMatchObject({
      status: 'skipped',
      reason: 'left aside by --workers',
      updatedAt: at(1),
    });
    expect(rowOf(state, 'implementer')?.status).toBe('pending');
  });

  it('PL-1 is taken up again by a later command that names it', () => {
    const selections = [selection(['implementer'], 1), selection(['verifier-1'], 2)];
    expect(rowOf(project({ selections }), 'verifier-1')).toMatchObject({ status: 'pending', reason: '' });
    expect(rowOf(project({ selections }), 'implementer')?.status).toBe('skipped');
  });
});

describe('a worker with attempts', () => {
  it('PL-1 is never skipped, whoever leaves it aside afterwards', () => {
    const records = [attemptOf({ like: 'completed' })];
    const state = project({ records, selections: [selection(['verifier-1'], 9)] });
    expect(rowOf(state, 'implementer')?.status).toBe('completed');
  });

  it('ST-5 is in progress from the claim on, then whatever its attempt ended as, with reason and model value', () => {
    for (const like of ['launching', 'running'])
      expect(rowOf(project({ records: [attemptOf({ like })] }), 'implementer')?.status).toBe('in-progress');
    for (const like of ['completed', 'error-with-retry', 'timeout', 'stopped']) {
      const record = attemptOf({ like });
      expect(rowOf(project({ records: [record] }), 'implementer')).toEqual({
        workerId: 'implementer',
        status: record.status,
        reason: record.reason,
        modelExecutionValue: 'opus',
        updatedAt: record.finishedAt,
      });
    }
  });

  it('ST-5 leaves a terminal status by a new attempt, and by nothing else', () => {
    const failed = attemptOf({ like: 'error-with-retry' });
    expect(rowOf(project({ records: [failed] }), 'implementer')?.status).toBe('error');
    // Its clock was set back; it is the later attempt all the same.
    const retry = attemptOf({ attempt: 2 }, { dispatchedAt: '2026-11-29T00:00:00.000Z' });
    expect(rowOf(project({ records: [retry, failed] }), 'implementer')?.status).toBe('in-progress');
  });

  it('ST-5 follows the newest invocation where one makes up for another', () => {
    const lost = attemptOf({ invocation: 'z', like: 'error-cut-off' }, { eventLogOffset: 10 });
    const recovery = attemptOf({ invocation: 'a', like: 'completed' }, { eventLogOffset: 500 });
    expect(rowOf(project({ records: [recovery, lost] }), 'implementer')?.status).toBe('completed');
  });

  it('ID-7 whose record disagrees with the manifest is refused, not guessed', async () => {
    await errorOf('RECORD_IDENTITY_DISAGREES', () => project({ records: [attemptOf({ worker: 'stranger' })] }));
  });
});

describe('a translator', () => {
  const seat = {
    participantRef: parseParticipantRef('participant.translator'),
    workerId: parseWorkerId('translator'),
    provider: 'codex',
  };
  const [execution] = manifest.roleExecutions;
  if (execution === undefined) throw new Error('the sample has role executions');
  const withSeat: RunManifest = {
    ...manifest,
    participants: [...manifest.participants, seat],
    roleExecutions: [
      ...manifest.roleExecutions,
      {
        ...execution,
        roleExecutionRef: parseRoleExecutionRef('role.translator'),
        participantRef: seat.participantRef,
        executionLabel: parseExecutionLabel('translator'),
        role: 'translator',
        ordinal: 1,
      },
    ],
  };
  const translation = (like: string): DispatchRecord =>
    attemptOf({ worker: 'translator', invocation: 'inv-9', like }, { role: 'translator', audience: 'translator' });

  it('TR-5 has a row like any other where it has a seat, and is judged by its one record', () => {
    const rows = (records: readonly DispatchRecord[]) =>
      projectTeamState({ manifest: withSeat, records, selections: [], at: at(59) }).workers.filter(
        ({ workerId }) => workerId === 'translator',
      );
    expect(rows([]).map(({ status }) => status)).toEqual(['pending']);
    expect(rows([translation('launching')]).map(({ status }) => status)).toEqual(['in-progress']);
    expect(rows([translation('completed')]).map(({ status }) => status)).toEqual(['completed']);
  });

  it('TR-5 ST-5 is refused without a seat, as any job is: none goes without a row by calling itself a translator', async () => {
    await errorOf('RECORD_IDENTITY_DISAGREES', () => project({ records: [translation('completed')] }));
  });
});

describe('a team state', () => {
  it('has the mode of its dispatches, mixed where they differ, none before the first', () => {
    const pane = attemptOf({ worker: 'verifier-1', invocation: 'inv-2' }, { backend: 'cmux-pane' });
    expect(modeOf([])).toBeNull();
    expect(modeOf([attemptOf({}), attemptOf({ attempt: 2 })])).toBe('cli-wrapper');
    expect(modeOf([pane])).toBe('cmux-pane');
    expect(project({ records: [attemptOf({}), pane] }).mode).toBe('mixed');
  });

  it('lists every attempt, in the order of their start', () => {
    const records = [1, 2].map((attempt) => attemptOf({ attempt }, { eventLogOffset: attempt }));
    expect(project({ records: records.toReversed() }).dispatches.map(({ dispatchId }) => dispatchId)).toEqual([
      'inv-1~1:attempt-1',
      'inv-1~2:attempt-2',
    ]);
  });
});

/** One step of a run's history: a command that takes workers, or the next thing that happens to a worker's attempts. */
type Step =
  | { readonly kind: 'command'; readonly selected: readonly string[] }
  | { readonly kind: 'claim' | 'settle'; readonly worker: string; readonly like: string };

const stepOf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('command' as const), selected: fc.subarray([...allWorkers], { minLength: 1 }) }),
  fc.record({
    kind: fc.constantFrom('claim' as const, 'settle' as const),
    worker: fc.constantFrom(...allWorkers),
    like: fc.constantFrom('completed', 'error-last-attempt', 'timeout', 'stopped'),
  }),
);

describe('the rows over any history of a run', () => {
  it('PL-1 ST-5 change only as they may: one per worker, skipped from pending alone, terminal left by a new attempt alone', () => {
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 25 }), (steps) => {
        const history = new History();
        let before = history.state();
        for (const step of steps) {
          const claimed = history.take(step);
          const after = history.state();
          expect(after.workers.map(({ workerId }) => workerId)).toEqual(allWorkers);
          for (const worker of allWorkers) expectLegal(rowOf(before, worker), rowOf(after, worker), worker === claimed);
          expect(teamStateCodec.decode(teamStateCodec.encode(after), 'x')).toEqual(after);
          before = after;
        }
      }),
      { numRuns: 150 },
    );
  });
});

type Row = ReturnType<typeof rowOf>;

function expectLegal(before: Row, after: Row, isClaimed: boolean): void {
  const change = `${before?.status} → ${after?.status}`;
  if (isClaimed) expect(after?.status).toBe('in-progress');
  else if (before?.status === after?.status) return;
  else
    expect([
      'pending → skipped',
      'skipped → pending',
      'in-progress → completed',
      'in-progress → error',
      'in-progress → timeout',
      'in-progress → stopped',
    ]).toContain(change);
}

/** What the disk would hold: each attempt is claimed after the worker's last one ended, and its clock may go backwards. */
class History {
  readonly #records: DispatchRecord[] = [];
  readonly #selections: Selection[] = [];
  #logged = 0;

  /** The worker that a new attempt was claimed for, if there is one. */
  take(step: Step): WorkerId | undefined {
    this.#logged += 1;
    if (step.kind === 'command') this.#selections.push(selection(step.selected, this.#logged));
    else if (step.kind === 'claim') return this.#claim(step.worker);
    else this.#settle(step);
    return undefined;
  }

  state(): TeamState {
    return project({ records: this.#records.toReversed(), selections: this.#selections });
  }

  #claim(worker: string): WorkerId | undefined {
    const own = this.#records.filter((record) => record.executionLabel === worker);
    if (own.some((record) => !isTerminalStatus(record.status))) return undefined;
    const invocation = `${worker}-${Math.ceil((own.length + 1) / 2)}`;
    const attempt = (own.length % 2) + 1;
    const clock = { eventLogOffset: this.#logged * 100, dispatchedAt: at(59 - (this.#logged % 60)) };
    this.#records.push(attemptOf({ worker, invocation, attempt }, clock));
    return allWorkers.find((id) => id === worker);
  }

  #settle({ worker, like }: { readonly worker: string; readonly like: string }): void {
    const open = this.#records.findIndex(
      (record) => record.executionLabel === worker && !isTerminalStatus(record.status),
    );
    const record = this.#records[open];
    if (record === undefined) return;
    const { invocationRef, attempt, eventLogOffset, dispatchedAt } = record;
    this.#records[open] = attemptOf(
      { worker, invocation: invocationRef, attempt, like },
      { eventLogOffset, dispatchedAt },
    );
  }
}
