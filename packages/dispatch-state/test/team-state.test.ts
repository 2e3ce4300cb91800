import { parseRunId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { appendSelection, claimAttempt, layoutOfRun, readTeamState, refreshTeamState } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { accepted } from './support/fixtures.ts';
import { attemptOf, newRun } from './support/samples.ts';
import { tempFolder } from './support/temp-folder.ts';

const at = '2026-11-29T16:32:00.000Z';

describe('the team state of a run', () => {
  it('is what manifest, records and selections on disk say, written for readers', async () => {
    const { layout } = await newRun();
    expect(await readTeamState(layout)).toBeUndefined();
    await claimAttempt(layout, attemptOf({}));
    await appendSelection(layout, accepted('selection', 'one-of-two') as Parameters<typeof appendSelection>[1]);
    const state = await refreshTeamState(layout, at);
    expect(state.workers.map(({ status }) => status)).toEqual(['in-progress', 'skipped', 'pending']);
    expect(await readTeamState(layout)).toEqual(state);
  });

  it('of a run that is not there is RUN_MISSING', async () => {
    await errorOf('RUN_MISSING', () => refreshTeamState(layoutOfRun(tempFolder(), parseRunId('r-1')), at));
  });
});
