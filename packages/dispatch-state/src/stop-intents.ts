import { join } from 'node:path';
import { listFolder, readDocument, removeFile, writeDocument } from '@bailiwick/durable-files';
import type { WorkerId } from '@bailiwick/execution-identity';
import { stopIntentCodec } from './codecs.ts';
import type { StopIntent } from './model/team-state.ts';
import { type RunLayout, stopIntentPathOf } from './run-layout.ts';

/** Makes a stop durable (AW-6): no attempt of the worker starts from now on, in any process. Replaces an earlier one of the worker. */
export async function writeStopIntent(layout: RunLayout, intent: StopIntent): Promise<void> {
  await writeDocument(stopIntentPathOf(layout, intent.workerId), stopIntentCodec, intent);
}

/** The worker's stop, or undefined where it isn't stopped. One that can't be read is thrown, so that nothing starts (DurableFileError). */
export async function readStopIntent(layout: RunLayout, workerId: WorkerId): Promise<StopIntent | undefined> {
  return readDocument(stopIntentPathOf(layout, workerId), stopIntentCodec);
}

/** Every stop of the run, by file name. One that can't be read is thrown, so that nothing starts (DurableFileError). */
export async function listStopIntents(layout: RunLayout): Promise<readonly StopIntent[]> {
  const names = (await listFolder(layout.stopsFolder)).filter((name) => name.endsWith('.json'));
  const intents = await Promise.all(names.map((name) => readDocument(join(layout.stopsFolder, name), stopIntentCodec)));
  return intents.filter((intent) => intent !== undefined);
}

/** Lets a stopped worker be dispatched again; a person's decision, never a resume's. False where it wasn't stopped. */
export async function liftStopIntent(layout: RunLayout, workerId: WorkerId): Promise<boolean> {
  return removeFile(stopIntentPathOf(layout, workerId));
}
