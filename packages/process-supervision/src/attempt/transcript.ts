import { constants } from 'node:fs';
import { type FileHandle, glob, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTranscript } from '@bailiwick/agent-providers';
import type { OutputReading } from './output-reading.ts';

/**
 * How much of a transcript is read, all its files together. The longest sessions write some ten megabytes; what lies
 * beyond is a gap, so that a log without end neither holds up the settlement nor counts as seen.
 */
const MAX_TRANSCRIPT_BYTES = 128 * 1_048_576;
const CHUNK_BYTES = 262_144;

/** What finds an attempt's transcript. */
export interface RanWith {
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId: string;
}

/**
 * Reads what the agent's own log says of the models that served it (AR-9, AR-10), after its end. A log that isn't there
 * says nothing; one that can't be read to its end leaves a gap. Never rejects.
 */
export async function readTranscript(
  reading: OutputReading,
  ranWith: RanWith,
  maxBytes = MAX_TRANSCRIPT_BYTES,
): Promise<void> {
  const { transcript } = reading;
  const place = transcript?.placeOf(ranWith);
  if (transcript === undefined || place === undefined) return;
  reading.close();
  const budget = { leftBytes: maxBytes };
  const noteGap = () => reading.noteTranscriptGap();
  try {
    if (await isMissing(place.folder)) return;
    for await (const name of glob(place.pattern, { cwd: place.folder })) {
      // A file that can't be read doesn't hide the others.
      await readFileInto(reading, join(place.folder, name), { transcript, budget }).catch(noteGap);
    }
  } catch {
    noteGap();
  }
}

/** Asked before `glob`, whose loading costs more than all else of an attempt's settlement. */
async function isMissing(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** What may still be read, over all files of the transcript. */
interface ReadBudget {
  leftBytes: number;
}

async function readFileInto(
  reading: OutputReading,
  path: string,
  { transcript, budget }: { readonly transcript: AgentTranscript; readonly budget: ReadBudget },
): Promise<void> {
  const file = await openPlainFile(path);
  const reader = transcript.reader();
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      budget.leftBytes -= bytesRead;
      if (budget.leftBytes < 0) {
        reading.noteTranscriptGap();
        break;
      }
      reading.noteTranscript(reader.push(chunk.subarray(0, bytesRead)));
    }
    reading.noteTranscript(reader.end());
  } finally {
    await file.close();
  }
}

/** The agent could have put anything there: a link elsewhere, or a pipe that nobody writes to. */
async function openPlainFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no file`);
}
