import { type DispatchRecord, type RunManifest, type UnauditedRecord, workerOfRecord } from '@bailiwick/dispatch-state';

/** How a page shows something: as good, as bad, as what needs a look, or plainly. */
export type Tone = 'good' | 'bad' | 'odd' | '';

/** An attempt's name for a person: its worker and number. */
export function labelOf(record: DispatchRecord | UnauditedRecord, manifest: RunManifest): string {
  const worker = 'workerId' in record ? `${record.workerId} (unaudited)` : workerOfRecord(record, manifest);
  return `${worker}, attempt ${record.attempt}`;
}

/** The tone of an attempt's status or of a run's state. */
export function toneOf(word: string): Tone {
  if (word === 'completed' || word === 'verified') return 'good';
  return word === 'error' || word === 'timeout' || word === 'failed' || word === 'rejected' ? 'bad' : 'odd';
}
