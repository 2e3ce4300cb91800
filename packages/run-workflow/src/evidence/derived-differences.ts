import { readlink } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { owedEvents } from '@bailiwick/dispatch';
import {
  type DispatchRecord,
  eventKeyOf,
  finishedReportPathOf,
  isTerminalStatus,
  type LeadEvent,
  openMarkerOf,
  type RunLayout,
  readLeadEvents,
  recordPathOf,
  resultLinkOf,
  resultsFolderOf,
} from '@bailiwick/dispatch-state';
import { digestOfDocument, digestOfFile, listFolder } from '@bailiwick/durable-files';
import type { StoredRun } from '../select-run.ts';
import { FACTS_WRITTEN, reportPathOf } from '../summary/finish-report.ts';
import { type RunDifference, RunDifferenceCode } from './difference.ts';

/**
 * What people and programs read instead of the records: the event log, the links to results, the finished report. None of it is the
 * truth, so no seal holds it; each has to say what the records say. What is still being settled is left out. Writes nothing.
 */
export async function derivedDifferences(run: StoredRun): Promise<readonly RunDifference[]> {
  const found = await Promise.all([eventDifferences(run), linkDifferences(run), reportDifferences(run)]);
  return found.flat();
}

/** Of what is settled and owes nothing any more: a marker says that somebody has yet to append what lacks. */
async function eventDifferences(run: StoredRun): Promise<readonly RunDifference[]> {
  const { layout, records } = run;
  const file = relative(layout.runDirectory, layout.eventLogPath);
  const differing = (message: string): RunDifference => ({ code: RunDifferenceCode.eventDiffers, file, message });
  try {
    const open = new Set(await listFolder(layout.openFolder));
    const { events } = await readLeadEvents(layout.eventLogPath);
    const done = records.filter(({ dispatchId }) => !open.has(basename(openMarkerOf(layout, dispatchId))));
    return [
      ...done.filter(({ status }) => isTerminalStatus(status)).flatMap((record) => wrongEvents(record, events)),
      ...eventsOfNobody(run, events),
    ].map(differing);
  } catch (error) {
    return [differing(error instanceof Error ? error.message : String(error))];
  }
}

/** In words, which of a settled attempt's events the log lacks or tells otherwise. */
function wrongEvents(record: DispatchRecord, events: readonly LeadEvent[]): readonly string[] {
  const told = new Map(events.map((event) => [eventKeyOf(event), event]));
  return owedEvents(record, record.dispatchedAt, null).flatMap((owed) => {
    const found = told.get(eventKeyOf(owed));
    if (found === undefined) return [`holds no ${owed.type} of ${record.dispatchId}`];
    return essenceOf(found) === essenceOf(owed)
      ? []
      : [`tells ${owed.type} of ${record.dispatchId} otherwise than its record`];
  });
}

/** What an event says that its record says too: not when it was told, nor whether the error log could be written. */
function essenceOf(event: LeadEvent): string {
  return digestOfDocument({ ...event, at: '', details: { ...event.details, errorLogAppend: null } });
}

function eventsOfNobody(run: StoredRun, events: readonly LeadEvent[]): readonly string[] {
  const known = new Set<string>(run.records.map(({ dispatchId }) => dispatchId));
  const damaged = new Set(run.unreadable.map(({ path }) => path));
  const ids = [...new Set(events.map(({ details }) => details.dispatchId))];
  return ids
    .filter((id) => !known.has(id) && !damaged.has(recordPathOf(run.layout, id)))
    .map((id) => `tells of ${id}, which has no record`);
}

/** Of each invocation whose attempts are all settled. */
async function linkDifferences({ layout, records }: StoredRun): Promise<readonly RunDifference[]> {
  const byInvocation = Map.groupBy(records, ({ invocationRef }) => invocationRef);
  const settled = [...byInvocation.values()].filter((group) => group.every(({ status }) => isTerminalStatus(status)));
  const found = await Promise.all(settled.map((group) => linkDifference(layout, group)));
  return found.flat();
}

async function linkDifference(
  layout: RunLayout,
  attempts: readonly DispatchRecord[],
): Promise<readonly RunDifference[]> {
  const linked = attempts.filter(({ result }) => result?.link?.ok === true).toSorted(byEnd);
  const last = linked.at(-1);
  if (last === undefined) return [];
  const link = resultLinkOf(layout, last.invocationRef);
  const expected = basename(resultsFolderOf(layout, last.dispatchId));
  const found = await readlink(link).catch(() => undefined);
  if (found === expected) return [];
  const message =
    found === undefined ? 'is gone or no link any more' : 'leads to other results than the last sound ones';
  return [difference(RunDifferenceCode.linkDiffers, relative(layout.runDirectory, link), { message, expected, found })];
}

async function reportDifferences({ layout, records }: StoredRun): Promise<readonly RunDifference[]> {
  const writers = records.filter(({ role }) => role === 'report-writer');
  if (writers.some(({ status }) => !isTerminalStatus(status))) return [];
  const finished = writers.filter(({ result }) => result?.postProcessing.includes(FACTS_WRITTEN)).toSorted(byEnd);
  const last = finished.at(-1);
  if (last === undefined) return [];
  const expected = await digestOrNothing(finishedReportPathOf(layout, last.dispatchId));
  const path = reportPathOf(layout);
  const found = await digestOrNothing(path);
  // Where the attempt's own is gone its seal says so.
  if (expected === undefined || found === expected) return [];
  const message =
    found === undefined ? 'is gone or can’t be read' : `isn't the report that ${last.dispatchId} finished`;
  return [
    difference(RunDifferenceCode.reportDiffers, relative(layout.runDirectory, path), { message, expected, found }),
  ];
}

function digestOrNothing(path: string): Promise<string | undefined> {
  return digestOfFile(path).catch(() => undefined);
}

function byEnd(a: DispatchRecord, b: DispatchRecord): number {
  const [first, second] = [a.finishedAt ?? '', b.finishedAt ?? ''];
  return first < second ? -1 : Number(first > second);
}

function difference(
  code: RunDifferenceCode,
  file: string,
  {
    message,
    expected,
    found,
  }: { readonly message: string; readonly expected: string; readonly found: string | undefined },
): RunDifference {
  return { code, file, message, expected, ...(found === undefined ? {} : { found }) };
}
