import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subject } from '../crash/subject.ts';
import type { Fault } from './fault.ts';
import { awaitAll, dispatch, dispatchOf, dispatchUnsettled, ends, standing } from './steps.ts';

const LOGS = ['lead-events.jsonl', 'selections.jsonl'] as const;
/** A row that a kill or a full disk cut off: it has no end, and no line break after it. */
const FRAGMENT = '\n{"at":"2026-01-01T00:00:00.000Z","runId":"r-2026';

/** Rows that were cut off cost only themselves; a log that a newer version wrote is left alone. */
export const logFaults: readonly Fault[] = [
  {
    name: 'a torn last line in the event log',
    outcome: 'the torn line is passed over, every other row counts, and the next row begins on a new line',
    run: async (subject) => {
      const first = await dispatch(subject);
      for (const name of LOGS) await appendFile(join(subject.runDirectory, name), FRAGMENT);
      const second = await dispatch(subject, dispatchOf('verifier-1'));
      return [
        ...ends(first, { exitCodes: [0] }),
        ...ends(second, { exitCodes: [0] }),
        ...(await eventsBesideFragment(subject)),
      ];
    },
  },
  {
    name: 'an event log of a newer version',
    outcome: 'DOCUMENT_NEWER_VERSION; nothing is appended by guess; settled once the log is readable',
    run: async (subject) => {
      await dispatchUnsettled(subject);
      const path = join(subject.runDirectory, 'lead-events.jsonl');
      const text = await readFile(path, 'utf8');
      const newer = text.replace('{"schemaVersion":"1.', '{"schemaVersion":"9.');
      await writeFile(path, newer);
      const refused = await awaitAll(subject);
      const isKept = (await readFile(path, 'utf8')) === newer;
      await writeFile(path, text);
      return [
        ...ends(refused, { exitCodes: [1, 2], codes: ['DOCUMENT_NEWER_VERSION'] }),
        ...(isKept && newer !== text ? [] : ['the log was changed']),
        ...ends(await awaitAll(subject), { exitCodes: [0] }),
        ...(await standing(subject, { status: 'completed' })),
      ];
    },
  },
];

/** Each of the two attempts was dispatched and collected, once; the fragment alone can't be read. */
async function eventsBesideFragment({ runDirectory }: Subject): Promise<readonly string[]> {
  const lines = (await readFile(join(runDirectory, 'lead-events.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  const readable = lines.filter((line) => line !== FRAGMENT.trim());
  const types = readable.slice(1).map((line) => String(JSON.parse(line).type));
  const wanted = ['worker-dispatched', 'worker-result-collected', 'worker-dispatched', 'worker-result-collected'];
  return [
    ...(types.join() === wanted.join() ? [] : [`events ${types.join(', ')}`]),
    ...(lines.length === readable.length + 1 ? [] : [`${lines.length - readable.length} fragments`]),
  ];
}
