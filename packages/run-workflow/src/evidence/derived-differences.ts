import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { owedEvents } from '@bailiwick/dispatch';
import {
  type DispatchRecord,
  type EventKey,
  eventKeyOf,
  finishedReportPathOf,
  inOrderOfStart,
  isTerminalStatus,
  type LeadEvent,
  openMarkerOf,
  type RunLayout,
  readLeadEvents,
  readRecord,
  recordPathOf,
  resultLinkOf,
  resultsFolderOf,
} from '@bailiwick/dispatch-state';
import { digestOfDocument, digestOfFile, listFolder } from '@bailiwick/durable-files';
import type { StoredRun } from '../select-run.ts';
import { FACTS_WRITTEN, reportPathOf } from '../summary/finish-report.ts';
import { type RunDifference, RunDifferenceCode } from './difference.ts';

/**
 * What people and programs read instead of the records: the event log, the links to results, the finished report, the markers of what
 * is open. None of it is the truth, so no seal holds it; each has to say what the records say. What is still being settled is left out.
 * Writes nothing.
 */
export async function derivedDifferences(run: StoredRun): Promise<readonly RunDifference[]> {
  const found = await Promise.all([
    eventDifferences(run),
    markerDifferences(run),
    linkDifferences(run),
    reportDifferences(run),
  ]);
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
    const told = new Map(events.map((event) => [eventKeyOf(event), event]));
    const done = records.filter(({ dispatchId }) => !open.has(basename(openMarkerOf(layout, dispatchId))));
    return [
      ...done.filter(({ status }) => isTerminalStatus(status)).flatMap((record) => wrongEvents(record, told)),
      ...eventsOfNobody(layout, events),
    ].map(differing);
  } catch (error) {
    return [differing(error instanceof Error ? error.message : String(error))];
  }
}

/** In words, which of a settled attempt's events the log lacks or tells otherwise. */
function wrongEvents(record: DispatchRecord, told: ReadonlyMap<EventKey, LeadEvent>): readonly string[] {
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

/** Looked for now: the run may have gone on since its records were read. */
function eventsOfNobody(layout: RunLayout, events: readonly LeadEvent[]): readonly string[] {
  const ids = [...new Set(events.map(({ details }) => details.dispatchId))];
  return ids.filter((id) => !existsSync(recordPathOf(layout, id))).map((id) => `tells of ${id}, which has no record`);
}

/** Somebody may settle it meanwhile: its record is written before its marker goes. */
async function markerDifferences({ layout, records }: StoredRun): Promise<readonly RunDifference[]> {
  const unmarked = records.filter(
    ({ status, dispatchId }) => !isTerminalStatus(status) && !existsSync(openMarkerOf(layout, dispatchId)),
  );
  const found = await Promise.all(
    unmarked.map(async ({ dispatchId }) => {
      const now = await readRecord(layout, dispatchId).catch(() => undefined);
      if (now === undefined || isTerminalStatus(now.status)) return [];
      const file = relative(layout.runDirectory, openMarkerOf(layout, dispatchId));
      return [{ code: RunDifferenceCode.markerMissing, file, message: 'is gone, and its attempt is not settled' }];
    }),
  );
  return found.flat();
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
  const linked = inOrderOfStart(attempts).filter(({ result }) => result?.link != null);
  // An attempt that was linked and then failed in post-processing says that it wasn't: the link may lead to it all the same.
  const since = linked.slice(linked.findLastIndex(({ result }) => result?.link?.ok === true));
  const [last] = since;
  if (last?.result?.link?.ok !== true) return [];
  const link = resultLinkOf(layout, last.invocationRef);
  const found = await readlink(link).catch(() => undefined);
  const places = since.map(({ dispatchId }) => basename(resultsFolderOf(layout, dispatchId)));
  if (found !== undefined && places.includes(found)) return [];
  const message =
    found === undefined ? 'is gone or no link any more' : 'leads to other results than the last sound ones';
  const facts = { message, expected: places[0] ?? '', found };
  return [difference(RunDifferenceCode.linkDiffers, relative(layout.runDirectory, link), facts)];
}

async function reportDifferences({ layout, records }: StoredRun): Promise<readonly RunDifference[]> {
  const writers = records.filter(({ role }) => role === 'report-writer');
  if (writers.some(({ status }) => !isTerminalStatus(status))) return [];
  const finished = writers.filter(({ result }) => result?.postProcessing.includes(FACTS_WRITTEN));
  const last = inOrderOfStart(finished).at(-1);
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
