import type { SealDifference } from '@bailiwick/attempt-evidence';

/** What can differ besides seals and the files that they name. */
export const RunDifferenceCode = {
  /** A record is there and can't be read. */
  recordUnreadable: 'record-unreadable',
  /** The record's identity isn't the manifest's. */
  identityDiffers: 'identity-differs',
  /** The stored contract is gone, changed, or not the one that the attempt was launched under. */
  contractDiffers: 'contract-differs',
  /** A copied artifact of an attempt that has no seal isn't what the record says. */
  artifactDiffers: 'artifact-differs',
  /** The record of an attempt that has no seal says another end than its sidecar. */
  stateDiffers: 'state-differs',
  /** The event log lacks an event of a settled attempt, tells one otherwise than the record, or of an attempt without a record. */
  eventDiffers: 'event-differs',
  /** An attempt isn't settled and has no marker in `open/`, so that nobody awaits it. */
  markerMissing: 'marker-missing',
  /** The link to an invocation's results leads elsewhere than to the attempt that came last to a sound end. */
  linkDiffers: 'link-differs',
  /** The run's report isn't the one that was finished last. */
  reportDiffers: 'report-differs',
  /** The copy of the task isn't what the manifest says. */
  taskDiffers: 'task-differs',
} as const;
export type RunDifferenceCode = (typeof RunDifferenceCode)[keyof typeof RunDifferenceCode];

/** Something that isn't as seals, record or manifest say. `code`: SealDifferenceCode, or one of this package's own above. */
export interface RunDifference extends Omit<SealDifference, 'code'> {
  readonly code: SealDifference['code'] | RunDifferenceCode;
}
