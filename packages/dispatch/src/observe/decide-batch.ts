import { type DispatchRecord, isTerminalStage, isTerminalStatus, type StatusSidecar } from '@bailiwick/dispatch-state';

/** An attempt that has a marker, with what its supervisor said of it. */
export interface ObservedAttempt {
  readonly record: DispatchRecord;
  readonly sidecar: StatusSidecar | undefined;
}

/** What there is to do for the open attempts of one batch. */
export type BatchStep =
  /** Nothing is owed: its records are terminal, their events may be missing. */
  | { readonly kind: 'finish' }
  /** A command is launching it, or its supervisor lives. */
  | { readonly kind: 'wait' }
  /** Every worker has ended: a quiescent point. */
  | { readonly kind: 'settle' }
  /** No owner is left and a worker hasn't ended as far as anybody knows: take both locks, end what is left, settle as lost. */
  | { readonly kind: 'reclaim' };

/**
 * The next step for a batch, from facts alone. `isOwned` says whether the launch or the live lock is held; it must have been
 * looked at after records and sidecars were read, since an owner that has gone can't come back.
 */
export function decideBatch(attempts: readonly ObservedAttempt[], isOwned: boolean): BatchStep {
  const unsettled = attempts.filter(({ record }) => !isTerminalStatus(record.status));
  if (unsettled.length === 0) return { kind: 'finish' };
  if (unsettled.every(({ sidecar }) => sidecar !== undefined && isTerminalStage(sidecar.stage)))
    return { kind: 'settle' };
  return isOwned ? { kind: 'wait' } : { kind: 'reclaim' };
}
