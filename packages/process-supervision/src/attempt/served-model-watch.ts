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

/** Nothing was seen of the model. */
export const UNSEEN_MODEL: ServedModel = {
  level: 'unknown',
  normalizedModelRef: null,
  reported: [],
  source: 'none',
  turns: 0,
};

/**
 * Follows which model serves an attempt, turn by turn (AR-10). Names repeat for hundreds of turns, so each is kept
 * once, in the order of its first appearance: what is weakest and what deviates first doesn't depend on repetitions.
 */
export class ServedModelWatch {
  readonly #pool: ModelPool;
  readonly #selected: ModelPoolEntry;
  readonly #minimumSource: AttestationSource | null;
  /** Each name with the turn of its first appearance. */
  readonly #names = new Map<string | null, number>();
  #turns = 0;
  /** The same as the gateway saw it. */
  readonly #wireNames = new Map<string | null, number>();
  #wireTurns = 0;

  /** Throws AssignmentError where the order's pool doesn't hold the selected model. */
  constructor(expectation: ServedModelExpectation) {
    this.#pool = createModelPool(expectation.poolEntries);
    this.#selected = this.#pool.resolve(expectation.selectedModelRef);
    this.#minimumSource = expectation.minimumSource;
  }

  /**
   * Takes a turn of the agent's stream; returns why it must be the last one, or undefined where it may go on (AR-9).
   */
  noteTurn(servedModel: string | null): string | undefined {
    this.#turns += 1;
    if (this.#names.has(servedModel)) return undefined;
    this.#names.set(servedModel, this.#turns);
    return this.#against(undefined);
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
      turns: this.#isOnWire ? Math.max(this.#wireTurns, ...this.#wireNames.values()) : this.#turns,
      ...(deviation === undefined ? {} : { deviation: { ...deviation, turn: this.#turnOf(deviation.turn) } }),
      ...(disagreements === undefined ? {} : { disagreements }),
    };
  }

  /** The attempt's turn in which the n-th distinct name came up. */
  #turnOf(nth: number): number {
    return [...(this.#isOnWire ? this.#wireNames : this.#names).values()][nth - 1] ?? nth;
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
   * What the gateway saw counts, turn by turn. An agent's stream doesn't say which request an event belongs to, so its
   * names stand beside the first turn: one that is no other way to say the same is recorded as a disagreement.
   */
  #observed(): readonly ServedModelTurn[] {
    const stream = [...this.#names.keys()].map((raw) => ({ raw, source: AttestationSource.stream }));
    if (!this.#isOnWire) return stream;
    const [first, ...others] = [...this.#wireNames.keys()].map((raw) => ({ raw, source: AttestationSource.wire }));
    return [first === undefined ? stream : [first, ...stream], ...others];
  }
}
