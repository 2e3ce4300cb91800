/**
 * How long the audit may hold up a thread that has other things to do. The audit's own threads never begin a turn and have all the time
 * there is; the caller's thread begins one before each stretch of work, and TurnOver breaks off what turns out to be long.
 */
const MAX_TURN_MS = 10;
/** So many looks are a millisecond or two of work; by the clock alone, a busy machine would take the smallest tree for a large one. */
const MIN_TURN_LOOKS = 400;
/** A file that takes about a millisecond to read and to take apart. */
export const MAX_TURN_BYTES = 256 * 1024;
const UNLIMITED = Number.POSITIVE_INFINITY;

let endsAt = UNLIMITED;
let looks = 0;

/** The work is too long for the calling thread; never seen by a caller of this package. */
export class TurnOver extends Error {}

/** Begins a stretch of work in a thread that has other things to do. */
export function beginTurn(): void {
  endsAt = performance.now() + MAX_TURN_MS;
  looks = 0;
}

/** After a wait, in which others had theirs: a new turn where turns are taken at all. */
export function renewTurn(): void {
  if (endsAt !== UNLIMITED) beginTurn();
}

/** Takes no more turns. */
export function endTurns(): void {
  endsAt = UNLIMITED;
}

/** Before every look at the file system, and before so many bytes are read. Throws TurnOver. */
export function spendTurn(bytes = 0): void {
  if (endsAt === UNLIMITED) return;
  looks += 1;
  if (bytes > MAX_TURN_BYTES || (looks > MIN_TURN_LOOKS && performance.now() > endsAt)) throw new TurnOver();
}
