import { AssignmentError, AssignmentErrorCode, isAssignmentError } from '../errors.ts';
import type { ModelPoolEntry } from '../model.ts';
import { shown } from '../model-ref.ts';
import { decodePoolRow, peekString } from '../wire/pool-row.ts';
import { nearest } from './nearest.ts';
import { indexRows, type RowIndex } from './row-index.ts';

/** The models that can be selected or recognised. Rows are judged one by one, when they are used (AR-4). */
export interface ModelPool {
  /** How many rows there are, broken ones included. */
  readonly size: number;
  /** Every ref, in the rows' order, of rows that may be broken. */
  readonly refs: readonly string[];
  /** Every valid entry; {@link checkModelPool} tells what is wrong with the others. */
  readonly entries: readonly ModelPoolEntry[];
  /**
   * The entry of exactly this ref. Judges that one row.
   *
   * @throws AssignmentError MODEL_UNKNOWN, MODEL_AMBIGUOUS, MODEL_POOL_ROW_INVALID
   */
  entry(modelRef: string): ModelPoolEntry;
  /**
   * The entry of a ref, of `<provider>/<alias>`, or of an alias that one agent CLI alone has. Judges that one row.
   *
   * @throws AssignmentError MODEL_UNKNOWN, MODEL_AMBIGUOUS, MODEL_POOL_ROW_INVALID
   */
  resolve(refOrAlias: string): ModelPoolEntry;
  /** The rows of one agent CLI as they were read, broken ones included: all that judging its served models needs, wherever that is done. */
  rowsOf(providerId: string): readonly unknown[];
  /** The one entry of an agent CLI that answers to a name; `undefined` for none or several valid ones. */
  findByName(providerId: string, name: string): ModelPoolEntry | undefined;
  /** The first channel of an agent CLI with this family. */
  findChannel(providerId: string, channelFamily: string): ModelPoolEntry | undefined;
}

/** How a pool is watched. */
export interface ModelPoolOptions {
  /** Called with each row when it is judged, once per row. */
  readonly inspect?: (row: unknown) => void;
}

/** A pool over rows as they were read: nothing is judged here. */
export function createModelPool(rows: readonly unknown[], options: ModelPoolOptions = {}): ModelPool {
  return new LazyPool(rows, options);
}

class LazyPool implements ModelPool {
  readonly #rows: readonly unknown[];
  readonly #index: RowIndex;
  readonly #inspect: (row: unknown) => void;
  readonly #decoded = new Map<number, ModelPoolEntry>();

  constructor(rows: readonly unknown[], options: ModelPoolOptions) {
    this.#rows = rows;
    this.#index = indexRows(rows);
    this.#inspect = options.inspect ?? (() => {});
  }

  get size(): number {
    return this.#rows.length;
  }

  get refs(): readonly string[] {
    return this.#index.refs;
  }

  get entries(): readonly ModelPoolEntry[] {
    return this.#rows.flatMap((_, at) => this.#tryDecode(at) ?? []);
  }

  entry(modelRef: string): ModelPoolEntry {
    return this.#one(modelRef, this.#index.byRef(modelRef));
  }

  resolve(refOrAlias: string): ModelPoolEntry {
    const exact = this.#index.byRef(refOrAlias);
    if (exact.length > 0) return this.#one(refOrAlias, exact);
    const slash = refOrAlias.indexOf('/');
    const qualified = slash < 0 ? [] : this.#index.byName(refOrAlias.slice(0, slash), refOrAlias.slice(slash + 1));
    return this.#one(refOrAlias, qualified.length > 0 ? qualified : this.#index.byBareName(refOrAlias));
  }

  rowsOf(providerId: string): readonly unknown[] {
    return this.#index.byProvider(providerId).map((at) => this.#rows[at]);
  }

  findByName(providerId: string, name: string): ModelPoolEntry | undefined {
    const entries = this.#index.byName(providerId, name).flatMap((at) => this.#tryDecode(at) ?? []);
    return entries.length === 1 ? entries[0] : undefined;
  }

  findChannel(providerId: string, channelFamily: string): ModelPoolEntry | undefined {
    for (const at of this.#index.byChannelFamily(providerId, channelFamily)) {
      const entry = this.#tryDecode(at);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #one(wanted: string, found: readonly number[]): ModelPoolEntry {
    const [at, another] = found;
    if (at === undefined) throw unknownModel(wanted, this.refs);
    if (another !== undefined) throw ambiguous(wanted, found, this.#rows);
    return this.#decode(at);
  }

  #decode(at: number): ModelPoolEntry {
    const known = this.#decoded.get(at);
    if (known !== undefined) return known;
    const row = this.#rows[at];
    this.#inspect(row);
    const entry = decodePoolRow(row, whereOf(row, at));
    this.#decoded.set(at, entry);
    return entry;
  }

  #tryDecode(at: number): ModelPoolEntry | undefined {
    try {
      return this.#decode(at);
    } catch (error) {
      if (isAssignmentError(error)) return undefined;
      throw error;
    }
  }
}

/** How messages name a row: its place, and its ref where it has one. */
export function whereOf(row: unknown, at: number): string {
  const ref = peekString(row, 'modelRef');
  return ref === undefined ? `${at}` : `${at} (${ref})`;
}

function unknownModel(wanted: string, refs: readonly string[]): AssignmentError {
  const suggestions = nearest(wanted, refs);
  return new AssignmentError(AssignmentErrorCode.modelUnknown, `The model pool has no model ${shown(wanted)}`, {
    details: { modelRef: wanted, suggestions },
    hint:
      suggestions.length > 0
        ? `Did you mean ${suggestions.join(', ')}? Else add it to the model pool in the config.`
        : 'List the pool to see what there is, or add the model to it in the config.',
  });
}

function ambiguous(wanted: string, found: readonly number[], rows: readonly unknown[]): AssignmentError {
  const candidates = [...new Set(found.map((at) => peekString(rows[at], 'modelRef') ?? `row ${at}`))];
  return new AssignmentError(
    AssignmentErrorCode.modelAmbiguous,
    `${shown(wanted)} names ${found.length} rows of the model pool: ${candidates.join(', ')}`,
    {
      details: { modelRef: wanted, candidates },
      hint: candidates.length > 1 ? 'Use one of these refs.' : 'Take all but one of these rows out.',
    },
  );
}
