import { join } from 'node:path';
import { isDurableFileError, type JsonValue } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import {
  appendErrorRow,
  appendLeadEvent,
  appendSelection,
  dispatchRecordCodec,
  type ErrorRow,
  invocationCodec,
  isDispatchStateError,
  type LeadEvent,
  readErrorRows,
  readLeadEvents,
  readSelections,
  runManifestCodec,
  type Selection,
  statusSidecarCodec,
  stopIntentCodec,
  supervisionOrderCodec,
  teamStateCodec,
  unauditedRecordCodec,
} from '../../src/index.ts';
import { acceptedOf, type Format, rejectedOf } from '../support/fixtures.ts';
import { bareRun } from '../support/samples.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Writes a document and gives back what is read again; throws for one that is refused. */
type RoundTrip = (document: unknown) => unknown;

const throughCodec =
  <T>(codec: { decode(value: unknown, where: string): T; encode(value: T): JsonValue }): RoundTrip =>
  (document) =>
    codec.encode(codec.decode(document, 'file.json'));

const roundTrips: Readonly<Record<Format, RoundTrip>> = {
  'run-manifest': throughCodec(runManifestCodec),
  invocation: throughCodec(invocationCodec),
  'dispatch-record': throughCodec(dispatchRecordCodec),
  'status-sidecar': throughCodec(statusSidecarCodec),
  'team-state': throughCodec(teamStateCodec),
  'stop-intent': throughCodec(stopIntentCodec),
  'unaudited-record': throughCodec(unauditedRecordCodec),
  'supervision-order': throughCodec(supervisionOrderCodec),
  // What the corpus holds of log lines is what it says; a refused one must be refused at the append.
  'lead-event': async (document) => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLeadEvent(path, document as LeadEvent);
    return (await readLeadEvents(path)).events[0];
  },
  'error-row': async (document) => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendErrorRow(path, document as ErrorRow);
    return (await readErrorRows(path))[0];
  },
  selection: async (document) => {
    const layout = bareRun();
    await appendSelection(layout, document as Selection);
    return (await readSelections(layout))[0];
  },
};

const formats = Object.entries(roundTrips).map(([format, roundTrip]) => ({ format: format as Format, roundTrip }));

describe.each(formats)('the corpus of $format', ({ format, roundTrip }) => {
  it.each(acceptedOf(format))('accepts $description ($name), and writes it as it was', async ({ document }) => {
    expect(await roundTrip(document)).toEqual(document);
  });

  it.each(rejectedOf(format))('refuses $description ($name)', async ({ document, expect: reason }) => {
    const error = await Promise.resolve()
      .then(() => roundTrip(document))
      .catch((thrown: unknown) => thrown);
    if (!isDurableFileError(error) && !isDispatchStateError(error)) throw error;
    expect(error.code).toBe(reason.code);
    const paths = error.issues?.map((issue) => issue.path) ?? [];
    if (reason.path !== null) expect(paths).toContain(reason.path);
    expect(paths.length > 0).toBe(reason.path !== null);
  });
});
