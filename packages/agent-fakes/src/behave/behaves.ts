import type { Behave } from '../agent.ts';
import type { Behaviour } from '../behaviours.ts';
import { apiError } from './api-error.ts';
import { commit } from './commit.ts';
import { declare } from './declare.ts';
import { drip } from './drip.ts';
import { flood } from './flood.ts';
import { grandchild } from './grandchild.ts';
import { half } from './half.ts';
import { hang } from './hang.ts';
import { ignoreSigterm } from './ignore-sigterm.ts';
import { meddle } from './meddle.ts';
import { noise } from './noise.ts';
import { nothing } from './nothing.ts';
import { outside } from './outside.ts';
import { signal } from './signal.ts';
import { silent } from './silent.ts';
import { slow } from './slow.ts';
import { stray } from './stray.ts';
import { work } from './work.ts';

/** What each behaviour does. Which model serves (`wrong-model`, `model-change`) is the speech's concern, not the work's. */
export const behaves: Readonly<Record<Behaviour, Behave>> = {
  work,
  nothing,
  silent,
  half,
  'no-result-once': nothing,
  meddle,
  declare,
  stray,
  flood,
  noise,
  'ignore-sigterm': ignoreSigterm,
  grandchild,
  signal,
  hang,
  drip,
  'wrong-model': work,
  'model-change': work,
  'api-error': apiError,
  outside,
  commit,
  slow,
};
