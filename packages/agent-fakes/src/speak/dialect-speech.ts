/** Something the agent did or that befell it. A speech turns it into the events that its CLI would print. */
export type Happening =
  | { readonly kind: 'started' }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'ran'; readonly command: string; readonly output: string; readonly exitCode: number | null }
  | { readonly kind: 'edited'; readonly path: string; readonly change: 'add' | 'update' }
  | { readonly kind: 'finished'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string; readonly status?: number };

export type JsonEvent = Readonly<Record<string, unknown>>;

/** One run's voice. It counts turns, ids and tokens, so each run has its own. */
export interface Speech {
  tell(happening: Happening): readonly JsonEvent[];
  /** The exit code after a `failed` with or without an HTTP status. */
  exitCodeOfFailure(status?: number): number;
  /** The exit code after a signal; null where the CLI dies by it. */
  readonly exitCodeOfSignal: Readonly<Record<'SIGTERM' | 'SIGINT', number | null>>;
}

export interface SpeechSetting {
  readonly sessionId: string;
  readonly cwd: string;
  /** The model that was asked for, as given. */
  readonly requestedModel: string;
  /** The model that serves a turn, counted from 0. */
  servedModel(turn: number): string;
  readonly promptText: string;
  readonly now: () => Date;
  /** Writes to a file of the CLI's own. */
  readonly append: (entry: OwnFileEntry) => void;
}

/** A line for a file in the folder that a CLI keeps below HOME, or where its variable says. */
export interface OwnFileEntry {
  readonly home: string;
  readonly variable: string;
  readonly below: string;
  readonly line: string;
}

/** A rough count, as agents' usage goes: four bytes are a token. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Statuses that the real CLIs try again before they give up. */
export function isRetriedStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What a model API says with a status, as `type: message`. */
export function apiErrorOf(status: number): { readonly type: string; readonly message: string } {
  const known: Readonly<Record<number, { type: string; message: string }>> = {
    400: { type: 'invalid_request_error', message: 'The request was malformed' },
    401: { type: 'authentication_error', message: 'invalid x-api-key' },
    403: { type: 'permission_error', message: 'This key may not use the requested model' },
    404: { type: 'not_found_error', message: 'The requested model does not exist' },
    429: { type: 'rate_limit_error', message: 'Rate limit exceeded' },
    529: { type: 'overloaded_error', message: 'Overloaded' },
  };
  return known[status] ?? { type: 'api_error', message: 'Internal server error' };
}
