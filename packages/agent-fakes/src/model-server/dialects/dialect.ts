import type { ModelRequest } from '../model-request.ts';
import type { PlacedCall } from '../place-call.ts';

/** One server-sent event. */
export interface SentEvent {
  readonly event?: string;
  /** An object is sent as JSON. */
  readonly data: string | object;
}

/** Who answers. */
export interface ReplyHead {
  readonly id: string;
  readonly model: string;
}

/** What a finished answer held. */
export interface ReplyBody {
  readonly text: string;
  readonly call?: PlacedCall;
}

/** The answer as a stream: what opens it, the text piece by piece, and what closes it, the tool call included. */
interface ReplyStream {
  readonly open: readonly SentEvent[];
  piece(text: string): readonly SentEvent[];
  close(body: ReplyBody): readonly SentEvent[];
}

/** One wire format of a model API: where it is asked, how it is read, and how it answers. */
export interface ModelDialect {
  readonly name: 'openai-responses' | 'openai-chat' | 'anthropic-messages' | 'google-generate-content';
  /** Whether a turn of the model is asked for at this path. */
  isTurn(path: string): boolean;
  read(path: string, body: unknown): ModelRequest;
  stream(head: ReplyHead): ReplyStream;
  whole(head: ReplyHead, body: ReplyBody): object;
  error(status: number): object;
}

/** What every answer is said to have cost: numbers that differ from each other, so that none is taken for another. */
export const TOKENS = { input: 900, cached: 100, output: 21, reasoning: 5 } as const;
