import {
  AttestationSource,
  combineTurns,
  createModelPool,
  type ModelPool,
  type ModelPoolEntry,
  type ServedModelAttestation,
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
      turns: this.#turns,
      ...(deviation === undefined ? {} : { deviation: { ...deviation, turn: this.#turnOf(deviation.turn) } }),
      ...(disagreements === undefined ? {} : { disagreements }),
    };
  }

  /** The attempt's turn in which the n-th distinct name came up. */
  #turnOf(nth: number): number {
    return [...this.#names.values()][nth - 1] ?? nth;
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

  #combined(): ServedModelAttestation {
    const turns = [...this.#names.keys()].map((raw) => ({ raw, source: AttestationSource.stream }));
    return combineTurns(turns, { selected: this.#selected, pool: this.#pool });
  }
}
