import {
  type DispatchRecord,
  DispatchStatus,
  isTerminalStage,
  isTerminalStatus,
  Stage,
  type StatusSidecar,
} from '@bailiwick/dispatch-state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideBatch, type ObservedAttempt } from '../../src/index.ts';

/** The two facts of an attempt that a step is decided from. */
function observed(status: DispatchStatus, stage: Stage | null): ObservedAttempt {
  return {
    // only the status of a record and the stage of a sidecar are looked at
    record: { status } as DispatchRecord,
    sidecar: stage === null ? undefined : ({ stage } as StatusSidecar),
  };
}

const attempts = fc.array(
  fc
    .tuple(fc.constantFrom(...Object.values(DispatchStatus)), fc.constantFrom(null, ...Object.values(Stage)))
    .map(([status, stage]) => observed(status, stage)),
  { maxLength: 6 },
);

const isUnsettled = ({ record }: ObservedAttempt) => !isTerminalStatus(record.status);
const hasEnded = ({ sidecar }: ObservedAttempt) => sidecar !== undefined && isTerminalStage(sidecar.stage);

describe('the next step of a batch', () => {
  it('MA-9 is never to settle while an unsettled attempt has no terminal sidecar, whoever owns the batch', () => {
    fc.assert(
      fc.property(attempts, fc.boolean(), (all, isOwned) => {
        const { kind } = decideBatch(all, isOwned);
        return kind !== 'settle' || all.filter(isUnsettled).every(hasEnded);
      }),
    );
  });

  it('AW-4 is to reclaim exactly where no owner is left and an unsettled attempt has not ended', () => {
    fc.assert(
      fc.property(attempts, fc.boolean(), (all, isOwned) => {
        const { kind } = decideBatch(all, isOwned);
        const isLost = !isOwned && all.filter(isUnsettled).some((one) => !hasEnded(one));
        return (kind === 'reclaim') === isLost;
      }),
    );
  });

  it('AW-5 is to wait for an owner that lives, and never for one that does not', () => {
    fc.assert(fc.property(attempts, (all) => decideBatch(all, false).kind !== 'wait'));
    expect(decideBatch([observed('launching', 'running')], true)).toEqual({ kind: 'wait' });
    expect(decideBatch([observed('launching', null)], true)).toEqual({ kind: 'wait' });
  });

  it('ST-4 is to finish where every record is terminal, whatever the sidecars say', () => {
    fc.assert(
      fc.property(attempts, fc.boolean(), (all, isOwned) => {
        return (decideBatch(all, isOwned).kind === 'finish') === !all.some(isUnsettled);
      }),
    );
  });
});
