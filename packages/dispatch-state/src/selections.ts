import { appendLogLine, readLog } from '@bailiwick/durable-files';
import type { Selection } from './model/team-state.ts';
import type { RunLayout } from './run-layout.ts';
import { defineRow } from './wire/log-row.ts';
import { describing } from './wire/stored-form.ts';
import { SelectionV1 } from './wire/team-state-v1.ts';

const SELECTIONS_VERSION = '1.0';

const selectionRow = defineRow<Selection>('selection', describing<Selection, typeof SelectionV1>(SelectionV1));

/**
 * Notes which workers a real command took and which it left aside (PL-1); durable when it returns.
 *
 * @throws DispatchStateError LOG_ROW_INVALID; DurableFileError as `appendLogLine`
 */
export async function appendSelection(layout: RunLayout, selection: Selection): Promise<void> {
  await appendLogLine(layout.selectionsLogPath, selectionRow.encode(selection), { schemaVersion: SELECTIONS_VERSION });
}

/** The selections of a run in the order of appending; a line that is torn or isn't ours is passed over. Throws DurableFileError as `readLog`. */
export async function readSelections(layout: RunLayout): Promise<readonly Selection[]> {
  const { rows } = await readLog(layout.selectionsLogPath, { schemaVersion: SELECTIONS_VERSION });
  return rows.map((row) => selectionRow.decode(row)).filter((row) => row !== undefined);
}
