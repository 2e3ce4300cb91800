import { clockFaults } from './clock-faults.ts';
import { diskFaults } from './disk-faults.ts';
import { documentFaults, halfRecordBesideAnother, halfSnapshot } from './document-faults.ts';
import type { Fault } from './fault.ts';
import { injectedFaults } from './injected-faults.ts';
import { logFaults } from './log-faults.ts';
import { processFaults } from './process-faults.ts';

/** Every fault that the product has a defined outcome for. */
export const FAULTS: readonly Fault[] = [
  ...processFaults,
  ...documentFaults(),
  halfRecordBesideAnother,
  halfSnapshot,
  ...logFaults,
  ...clockFaults,
  ...diskFaults,
  ...injectedFaults(),
];
