import type { AgentTurn } from '@bailiwick/agent-providers';
import {
  AttestationSource,
  combineTurns,
  createModelPool,
  type ModelPool,
  type ModelPoolEntry,
  type ServedModelAttestation,
  type ServedModelTurn,
  verifyServedModel,
} from '@bailiwick/assignment-resolution';
import type { ServedModel, ServedModelExpectation } from '@bailiwick/dispatch-state';
import { TurnLedger } from './turn-ledger.ts';

/** Nothing was seen of the model. */
export const UNSEEN_MODEL: ServedModel = {
  level: 'unknown',
  normalizedModelRef: null,
  reported: [],
  source: 'none',
  turns: 0,
};

/** By the rows that it was made of: the jobs of an order share them. */
const pools = new WeakMap<readonly unknown[], ModelPool>();

function poolOf(entries: readonly unknown[]): ModelPool {
  const known = pools.get(entries) ?? createModelPool(entries);
  pools.set(entries, known);
  return known;
}

/**
 * Follows which model serves an attempt, turn by turn (AR-10): what the agent shows of it, and what the gateway sees. Names
 * repeat for hundreds of turns, so each is kept once, in the order of its first appearance.
 */
export class ServedModelWatch {
  readonly #pool: ModelPool;
  readonly #selected: ModelPoolEntry;
  readonly #minimumSource: AttestationSource | null;
  readonly #own: TurnLedger;
  /** As the gateway saw it: each name with the turn of its first appearance. */
  readonly #wireNames = new Map<string | null, number>();
  #wireTurns = 0;

  /** Throws AssignmentError where the order's pool doesn't hold the selected model. */
  constructor(expectation: ServedModelExpectation, options: { readonly hasTranscript: boolean }) {
    this.#own = new TurnLedger(options.hasTranscript);
    this.#pool = poolOf(expectation.poolEntries);
    this.#selected = this.#pool.resolve(expectation.selectedModelRef);
    this.#minimumSource = expectation.minimumSource;
  }

  /**
   * Takes a turn of the agent's stream; returns why it must be the last one, or undefined where it may go on (AR-9).
   */
  noteTurn(turn: AgentTurn): string | undefined {
    return this.#own.noteStream(turn) ? this.#against(undefined) : undefined;
  }

  /** Takes what the transcript shows, once the stream is over: the same, found only afterwards (AR-9). */
  noteTranscript(turns: readonly AgentTurn[]): string | undefined {
    for (const turn of turns) this.#own.noteTranscript(turn);
    return turns.length === 0 ? undefined : this.#against(undefined);
  }

  /** Part of the transcript wasn't read. */
  noteTranscriptGap(): void {
    this.#own.noteGap();
  }

  /** Takes a name that a turn on the wire goes by, before the turn is over. */
  noteWireName(turn: number, servedModel: string): string | undefined {
    if (this.#wireNames.has(servedModel)) return undefined;
    this.#wireNames.set(servedModel, turn);
    return this.#against(undefined);
  }

  /** Takes a turn on the wire that is over. */
  noteWireTurn(servedModels: readonly string[]): string | undefined {
    this.#wireTurns += 1;
    if (servedModels.length > 0 || this.#wireNames.has(null)) return undefined;
    this.#wireNames.set(null, this.#wireTurns);
    return this.#against(undefined);
  }

  /** At the end: the same, and whether the attempt stayed below the source that the run demands. */
  finalMismatch(): string | undefined {
    return this.#against(this.#minimumSource ?? undefined);
  }

  attestation(): ServedModel {
    const { level, normalizedModelRef, reported, source, deviation, disagreements } = this.#combined();
    return {
      level,
      normalizedModelRef: normalizedModelRef ?? null,
      reported,
      source,
      turns: this.#isOnWire ? Math.max(this.#wireTurns, ...this.#wireNames.values()) : this.#own.turns,
      ...(deviation === undefined ? {} : { deviation: { ...deviation, turn: this.#turnOf(deviation.turn) } }),
      ...(disagreements === undefined ? {} : { disagreements }),
    };
  }

  /** The attempt's turn in which the n-th distinct name came up. */
  #turnOf(nth: number): number {
    const turns = this.#isOnWire ? [...this.#wireNames.values()] : this.#own.distinct().map(({ turn }) => turn);
    return turns[nth - 1] ?? nth;
  }

  #against(minimumSource: AttestationSource | undefined): string | undefined {
    const verdict = verifyServedModel({
      selected: this.#selected,
      attestation: this.#combined(),
      pool: this.#pool,
      ...(minimumSource === undefined ? {} : { minimumSource }),
    });
    return verdict.kind === 'mismatch' ? verdict.reason : undefined;
  }

  get #isOnWire(): boolean {
    return this.#wireNames.size > 0;
  }

  #combined(): ServedModelAttestation {
    return combineTurns(this.#observed(), { selected: this.#selected, pool: this.#pool });
  }

  /**
   * What the gateway saw counts, turn by turn. An agent doesn't say which request an event of its stream or a row of its
   * transcript belongs to, so their names stand beside the first turn: one that is no other way to say the same is
   * recorded as a disagreement.
   */
  #observed(): readonly ServedModelTurn[] {
    const own = this.#own.distinct().map(({ observations }) => observations);
    if (!this.#isOnWire) return own;
    const [first, ...others] = [...this.#wireNames.keys()].map((raw) => ({ raw, source: AttestationSource.wire }));
    return [first === undefined ? own.flat() : [first, ...own.flat()], ...others];
  }
}
