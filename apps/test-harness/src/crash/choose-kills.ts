import type { PlannedKill } from './kill-once.ts';
import { seededRandom } from './random.ts';

export interface Choice {
  /** How many kills; more than there are possible ones are drawn again at random. */
  readonly kills: number;
  readonly seed: number;
}

/** Every so many kills a third await is stopped beside the two. */
const STOPPED_AWAIT_EVERY = 5;
/** A command loads for some hundred milliseconds and settles in about as many. */
const STOPPED_AWAIT_MS = { least: 150, most: 900 };

/** Kills spread evenly over all that are possible, beginning where the seed says. */
export function chooseKills(possible: readonly PlannedKill[], { kills, seed }: Choice): readonly PlannedKill[] {
  const random = seededRandom(seed);
  const spread = Math.min(kills, possible.length);
  const start = random();
  const chosen = Array.from({ length: spread }, (_, index) =>
    possible.at(Math.floor(((index + start) * possible.length) / spread)),
  );
  const drawn = Array.from({ length: kills - spread }, () => possible.at(Math.floor(random() * possible.length)));
  return [...chosen, ...drawn]
    .filter((kill) => kill !== undefined)
    .map((kill, index) =>
      index % STOPPED_AWAIT_EVERY === STOPPED_AWAIT_EVERY - 1 ? besideStopped(kill, random()) : kill,
    );
}

function besideStopped(kill: PlannedKill, share: number): PlannedKill {
  const { least, most } = STOPPED_AWAIT_MS;
  return { ...kill, stoppedAwaitAfterMs: Math.round(least + share * (most - least)) };
}
