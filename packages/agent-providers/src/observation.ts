/** Tokens and cost of one attempt so far. `unknown` means that the program did not say; it is never written as 0. */
export interface Usage {
  /** All input tokens, those served from a cache included. */
  readonly inputTokens: number | 'unknown';
  /** All output tokens, reasoning included. */
  readonly outputTokens: number | 'unknown';
  /** The part of `inputTokens` that a cache served. */
  readonly cachedInputTokens: number | 'unknown';
  readonly costUsd: number | 'unknown';
}

/**
 * One thing that an agent's output showed.
 *
 * - `session`: the id the program reports for itself; again only when it changes.
 * - `turn`: one model turn. `servedModel` is the name of the model that answered, never the one that was asked for;
 *   null where the output doesn't show it. `answerId` is the model server's id of the answer, where stream and transcript
 *   both tell it: by it they mean the same turn.
 * - `usage`: the attempt's running total; the last one counts.
 * - `tool`: a tool call that is over. Without `ok` its result was never seen.
 * - `edit-claim`: the agent says that it changed this file. A claim, not a fact. The path is as it said: absolute, or
 *   relative to its working folder.
 * - `waiting-for-input`: it asks something nobody will answer. Any later observation means that it went on.
 * - `line`: what a person would want to see as the last line: one line, no control characters, at most 300 characters.
 * - `failure`: the program reports a failure, which it may still survive.
 * - `end`: the program's own statement of how it ended.
 * - `noise`: bytes that are no event: text between events, or what was cut off an enormous line.
 */
export type AgentObservation =
  | { readonly kind: 'session'; readonly sessionId: string }
  | AgentTurn
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'tool'; readonly name: string; readonly ok?: boolean }
  | { readonly kind: 'edit-claim'; readonly path: string }
  | { readonly kind: 'waiting-for-input'; readonly what: string }
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'failure'; readonly message: string; readonly transient: boolean }
  | { readonly kind: 'end'; readonly evidence: 'positive' | 'negative'; readonly reason?: string }
  | { readonly kind: 'noise'; readonly bytes: number };

/** One model turn. */
export interface AgentTurn {
  readonly kind: 'turn';
  readonly servedModel: string | null;
  readonly answerId?: string;
}

/** How the process ended, as the operating system says; exactly one is not null once it has ended. */
export interface AgentExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * What the whole output proves about the end (ST-7). `positive`: the program's final event says that it finished, and no
 * failure came after it. `negative`: it says that it did not. `absent`: it never said. The exit code is a separate fact
 * and turns nothing into `positive`, save where the provider's `endEvidence` is `exit-code`.
 */
export interface EndVerdict {
  readonly endEvidence: 'positive' | 'negative' | 'absent';
  /** One line: what was seen, the exit included where it matters. */
  readonly reason: string;
  /** The failure is one that may pass by itself (rate limit, server error, lost connection). False with `positive`. */
  readonly transient: boolean;
}

/** Which of the program's two outputs a chunk comes from. */
export type OutputChannel = 'stdout' | 'stderr';

/**
 * Reads the output of one attempt. Never throws, whatever the bytes; how the bytes are cut into chunks changes nothing
 * about the observations, taken together.
 */
export interface AgentStreamReader {
  /** Takes a chunk, which may be reused by the caller afterwards. */
  push(chunk: Uint8Array, channel?: OutputChannel): readonly AgentObservation[];
  /** To be asked when nothing has come for a while: says whether the unfinished last line is a question. Changes nothing. */
  idle(): readonly AgentObservation[];
  /** Both outputs are closed. Later calls yield nothing. */
  end(): readonly AgentObservation[];
  /** Judges what has been pushed so far. */
  verdict(exit: AgentExit): EndVerdict;
}
