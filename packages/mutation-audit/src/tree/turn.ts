/**
 * How long the audit may hold up a thread that has other things to do. The audit's own threads never begin a turn and have all the time
 * there is; the caller's thread begins one before each stretch of work and ends it where a share lets it, and TurnOver breaks off what
 * can't be done in turns.
 */
const TURN_MS = 5;
/** By their number, not by the clock: a busy machine would take the smallest tree for a large one. A thousand are about ten milliseconds. */
const MAX_TURN_LOOKS = 1_536;
/** Reading and digesting so many bytes takes as long as a look. */
const BYTES_OF_A_LOOK = 8 * 1024;
/** A file that takes about a millisecond to read and to take apart. */
export const MAX_TURN_BYTES = 256 * 1024;
const UNLIMITED = Number.POSITIVE_INFINITY;

let endsAt = UNLIMITED;
let looks = 0;

/** The work is too long for the calling thread; never seen by a caller of this package. */
export class TurnOver extends Error {}

/** One thread's share of a job, in steps: it yields wherever somebody else may have a turn. */
export type Share<T> = Generator<void, T, void>;

/** Begins a stretch of work in a thread that has other things to do. */
export function beginTurn(): void {
  endsAt = performance.now() + TURN_MS;
  looks = 0;
}

/** After a wait, in which others had theirs: a new turn where turns are taken at all. */
export function renewTurn(): void {
  if (endsAt !== UNLIMITED) beginTurn();
}

/** Whether the turn has lasted long enough for somebody else to have one. */
export function isTurnUsed(): boolean {
  return performance.now() >= endsAt;
}

/** How much the turn has looked at until now. */
export function looksOfTurn(): number {
  return looks;
}

/** Takes no more turns. */
export function endTurns(): void {
  endsAt = UNLIMITED;
}

/** Before every look at the file system, and before so many bytes are read. Throws TurnOver. */
export function spendTurn(bytes = 0): void {
  if (endsAt === UNLIMITED) return;
  looks += 1 + Math.floor(bytes / BYTES_OF_A_LOOK);
  if (bytes > MAX_TURN_BYTES || looks > MAX_TURN_LOOKS) throw new TurnOver();
}
