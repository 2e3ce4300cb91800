import { join } from 'node:path';
import type { DispatchContext } from '@bailiwick/dispatch';
import { encodeFileName, readDocument, readTextFile, requireDocument, writeDocument } from '@bailiwick/durable-files';
import { metadataCodec, metadataPathOf, type Reservation, reservationCodec } from '@bailiwick/execution-identity';
import { loadRunContext } from '../create/run-context.ts';
import { RunError } from '../errors.ts';
import type { DueWorker } from '../phases/next-phase.ts';
import { reportPathOf } from '../summary/finish-report.ts';
import { quoted } from './prompt-text.ts';
import { writePrompt } from './write-prompt.ts';

/**
 * Makes the translator's prompt from the finished report, and the one reservation that lets it be dispatched once (TR-2). Safe to
 * repeat: what is there stays. REPORT_MISSING before there is a report.
 */
export async function reserveTranslation(context: DispatchContext, due: DueWorker): Promise<void> {
  const { layout, manifest } = context;
  const report = await readTextFile(reportPathOf(layout));
  if (report === undefined)
    throw new RunError('REPORT_MISSING', `run ${manifest.runId} has no report yet, so there is nothing to translate`, {
      path: reportPathOf(layout),
      hint: 'dispatch the report writer first',
    });
  const { translationLanguage } = await loadRunContext(manifest);
  const promptPath = await writePrompt(layout, manifest, {
    execution: due.execution,
    ordinal: due.ordinal,
    dossier: quoted(report),
    language: translationLanguage ?? undefined,
  });
  await writeReservation(manifest.agentContract.invocationReservationRootPath, promptPath);
}

async function writeReservation(root: string, promptPath: string): Promise<void> {
  const metadataPath = metadataPathOf(promptPath);
  const metadata = await requireDocument(metadataPath, metadataCodec);
  if (metadata.generation !== 'v2') return;
  const path = join(root, `${encodeFileName(metadata.invocationRef)}.json`);
  if ((await readDocument(path, reservationCodec)) !== undefined) return;
  const { invocationId, assignmentRef, audience, dispatchKind, invocationRef } = metadata;
  const { participantRef, roleExecutionRef, dutyId, attempt } = metadata;
  const reservation: Reservation = {
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    invocationId,
    assignmentRef,
    audience,
    dispatchKind,
    promptPath,
    metadataPath,
    invocationRef,
    participantRef,
    roleExecutionRef,
    dutyId,
    attempt,
  };
  await writeDocument(path, reservationCodec, reservation);
}
