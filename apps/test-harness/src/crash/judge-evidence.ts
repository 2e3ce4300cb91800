import type { Evidence, SeenRecord, SeenSidecar } from './read-evidence.ts';

/** What is wrong with what a run left; every list is empty where it holds. */
export interface Verdict {
  /** Results whose terminal sidecar was durable, and which the record doesn't have. */
  readonly lost: readonly string[];
  /** Attempts that ran, or were told of, more than once. */
  readonly doubled: readonly string[];
  readonly torn: readonly string[];
  readonly leftProcesses: readonly string[];
  /** Everything else that must agree: records, sidecars, events, error rows, team rows, markers. */
  readonly disagreements: readonly string[];
}

/** Statuses that an attempt ends in. */
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'error', 'timeout', 'stopped']);

/**
 * Judges a run after everything was awaited. `durableSidecars` are those that were read at the moment of the kill; those that
 * stood at the end count too.
 */
export function judgeEvidence(evidence: Evidence, durableSidecars: readonly SeenSidecar[] = []): Verdict {
  return {
    lost: lostResults(evidence, [...durableSidecars, ...evidence.sidecars]),
    doubled: [...repeated(evidence.ledger), ...repeated(evidence.events.map(eventName))],
    torn: evidence.torn,
    leftProcesses: evidence.alive,
    disagreements: [
      ...evidence.records.flatMap((record) => recordDisagreements(record, evidence)),
      ...evidence.openMarkers.map((name) => `open marker ${name} is left`),
      ...unknownIds(evidence),
      ...evidence.missingCopies.map((copy) => `the copied artifact ${copy} isn't there as recorded`),
      ...repeated(evidence.errorRows).map((id) => `two error rows of ${id}`),
    ],
  };
}

/** All that a verdict says, as words; empty where everything holds. */
export function wordsOf(verdict: Verdict): readonly string[] {
  return [
    ...verdict.lost.map((what) => `lost: ${what}`),
    ...verdict.doubled.map((what) => `doubled: ${what}`),
    ...verdict.torn.map((what) => `torn: ${what}`),
    ...verdict.leftProcesses.map((what) => `left alive: ${what}`),
    ...verdict.disagreements,
  ];
}

function lostResults({ records }: Evidence, sidecars: readonly SeenSidecar[]): readonly string[] {
  const lost = sidecars.filter((sidecar) => {
    const record = records.find(({ dispatchId }) => dispatchId === sidecar.dispatchId);
    return sidecar.stage === 'exited' && record?.lifecycle?.end !== 'exited';
  });
  return [...new Set(lost.map(({ dispatchId }) => `${dispatchId} had exited`))];
}

function recordDisagreements(record: SeenRecord, evidence: Evidence): readonly string[] {
  const { dispatchId, status, reason } = record;
  const isSuperseded =
    record.retry !== null && evidence.records.some((other) => other.dispatchId === record.retry?.successor);
  return [
    ...(TERMINAL.has(status) ? [] : [`${dispatchId} is left "${status}"`]),
    ...eventDisagreements(record, evidence),
    ...differs(`error rows of ${dispatchId}`, status === 'completed' ? 0 : 1, count(evidence.errorRows, dispatchId)),
    ...(isSuperseded
      ? []
      : differs(`team row of ${record.executionLabel}`, status, evidence.workers[record.executionLabel])),
    ...(status === 'completed' && !evidence.ledger.includes(dispatchId)
      ? [`${dispatchId} completed and never ran`]
      : []),
    ...sidecarDisagreements(record, evidence.sidecars),
    ...(record.retry !== null && !isSuperseded
      ? [`${dispatchId} is owed a retry that nobody launched (${reason})`]
      : []),
  ];
}

/** A worker that began and ended well is completed; this run's agent does what it owes. */
function sidecarDisagreements(record: SeenRecord, sidecars: readonly SeenSidecar[]): readonly string[] {
  const sidecar = sidecars.find(({ dispatchId }) => dispatchId === record.dispatchId);
  const hasEndedWell = sidecar?.stage === 'exited' && sidecar.endEvidence === 'positive' && record.retry === null;
  return hasEndedWell ? differs(`status of ${record.dispatchId} (${record.reason})`, 'completed', record.status) : [];
}

function eventDisagreements(record: SeenRecord, { events }: Evidence): readonly string[] {
  const types = events.filter(({ dispatchId }) => dispatchId === record.dispatchId).map(({ type }) => type);
  const wanted = [
    ...(record.process === null ? [] : ['worker-dispatched']),
    record.status === 'completed' ? 'worker-result-collected' : 'worker-failed',
    ...(record.retry === null ? [] : ['worker-retry-scheduled']),
  ];
  return differs(`events of ${record.dispatchId}`, wanted.join(', '), types.join(', '));
}

/** Agents, events and rows without a record: something happened that nobody claimed. */
function unknownIds({ records, ledger, events, errorRows }: Evidence): readonly string[] {
  const known = new Set(records.map(({ dispatchId }) => dispatchId));
  const named = [...ledger, ...events.map(({ dispatchId }) => dispatchId), ...errorRows];
  return [...new Set(named)].filter((id) => !known.has(id)).map((id) => `${id} is known and has no record`);
}

function eventName({ type, dispatchId }: { readonly type: string; readonly dispatchId: string }): string {
  return `${type} of ${dispatchId}`;
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function count(names: readonly string[], name: string): number {
  return names.filter((other) => other === name).length;
}

function differs(what: string, wanted: unknown, seen: unknown): readonly string[] {
  return wanted === seen ? [] : [`${what}: wanted ${String(wanted)}, saw ${String(seen)}`];
}
