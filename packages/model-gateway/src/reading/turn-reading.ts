import type { AnswerFacts, WireFormat } from '../formats/format.ts';
import type { GatewayTurn, TurnUsage } from '../model.ts';
import { createAnswerReader } from './answer-reader.ts';

const UNKNOWN_USAGE: TurnUsage = { inputTokens: 'unknown', outputTokens: 'unknown', cachedInputTokens: 'unknown' };
/** Names kept of one turn; a server that says more of them has deviated long since. */
const MAX_NAMES = 16;

/** Reads along while one answer passes through. Keeps names and counts, no content. */
export class TurnReading {
  readonly #turn: number;
  readonly #onModel: (model: string) => void;
  readonly #reader: ReturnType<typeof createAnswerReader>;
  readonly #models = new Set<string>();
  #usage = UNKNOWN_USAGE;

  constructor(o: {
    readonly turn: number;
    readonly format: WireFormat;
    readonly contentType: string;
    /** Null: the bytes are what they seem. */
    readonly encoding: string | null;
    readonly onModel: (model: string) => void;
  }) {
    this.#turn = o.turn;
    this.#onModel = o.onModel;
    this.#reader = createAnswerReader({ ...o, onFacts: (facts) => this.#note(facts) });
  }

  /** A name that stands outside the body. */
  noteModel(model: string): void {
    this.#note({ servedModel: model });
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  finish(isComplete: boolean): GatewayTurn {
    this.#reader.end();
    return { turn: this.#turn, servedModels: [...this.#models], usage: this.#usage, isComplete };
  }

  #note({ servedModel, usage }: AnswerFacts): void {
    // Counts of one turn come in several events; the last word on each counts.
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage };
    if (servedModel === undefined || this.#models.has(servedModel) || this.#models.size >= MAX_NAMES) return;
    this.#models.add(servedModel);
    this.#onModel(servedModel);
  }
}
