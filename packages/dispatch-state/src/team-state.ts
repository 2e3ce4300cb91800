import { readDocument, writeDocument } from '@bailiwick/durable-files';
import { teamStateCodec } from './codecs.ts';
import type { TeamState } from './model/team-state.ts';
import type { RunLayout } from './run-layout.ts';
import { loadManifest } from './run-store.ts';
import { readSelections } from './selections.ts';
import { surveyAttempts } from './survey-attempts.ts';
import { projectTeamState } from './team-projection.ts';

/**
 * Projects a run's team state from what is on disk now and writes it for readers, durable when it returns: once at the end of a command.
 * A record that can't be read is left out, as an attempt that isn't known (AW-3): `surveyAttempts` names it.
 *
 * @throws DispatchStateError RUN_MISSING, RECORD_IDENTITY_DISAGREES; DurableFileError as `readDocument` and `writeDocument`
 */
export async function refreshTeamState(layout: RunLayout, at: string): Promise<TeamState> {
  const { attempts } = await surveyAttempts(layout);
  const state = projectTeamState({
    manifest: await loadManifest(layout),
    records: attempts,
    selections: await readSelections(layout),
    at,
  });
  await writeDocument(layout.teamStatePath, teamStateCodec, state);
  return state;
}

/** The team state as a command last wrote it, or undefined before the first. Throws DurableFileError as `readDocument`. */
export async function readTeamState(layout: RunLayout): Promise<TeamState | undefined> {
  return readDocument(layout.teamStatePath, teamStateCodec);
}
