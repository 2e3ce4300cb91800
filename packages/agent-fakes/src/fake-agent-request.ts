import type { Behaviour } from './behaviours.ts';
import type { Dialect } from './dialects.ts';

/** What a scripted agent is told on its command line, before the flags of the CLI that it stands for. */
export interface FakeAgentRequest {
  /** Whose stream it speaks. */
  readonly speak: Dialect;
  /** What it does; default `work`. */
  readonly as?: Behaviour;
  /** The model name that it reports as served, in place of its own. */
  readonly serve?: string;
  /** A file that gets one line `<BAILIWICK_DISPATCH_ID or -> <pid>` per start; markers of attempts lie beside it. */
  readonly ledger?: string;
  /** How long it waits between its first event and its work, in milliseconds. */
  readonly delayMs?: number;
  /** How much `flood` prints, in bytes; default 100,000,000. */
  readonly floodBytes?: number;
  /** The HTTP status of `api-error`; default 500. */
  readonly status?: number;
  /** For how many attempts of an invocation the behaviour holds; the later ones `work`. Needs `ledger`. */
  readonly times?: number;
  /** The file that `declare` and `stray` edit, relative to the working folder; default `NOTES.md`. */
  readonly extraFile?: string;
}
