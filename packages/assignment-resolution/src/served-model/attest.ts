import {
  AttestationLevel,
  AttestationSource,
  type ModelPoolEntry,
  type ServedModelAttestation,
  type ServedModelDeviation,
  type ServedModelObservation,
  type SourceDisagreement,
} from '../model.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { NO_MODEL_NAMES, type NormalizedModel, normalizeServedModel } from './normalize.ts';
import { changeOf, reasonAgainst } from './selection.ts';
import { compareSources } from './sources.ts';

/** What turns are judged against. */
export interface AttestOptions {
  /** What the attempt was bound to. */
  readonly selected: ModelPoolEntry;
  /** Names are placed in it. */
  readonly pool: ModelPool;
}

/** One turn: what each source says of it, or the word of one alone. */
export type ServedModelTurn = ServedModelObservation | readonly ServedModelObservation[];

/** One turn's finding. */
export interface TurnAttestation extends NormalizedModel {
  /** The name that counts, as it was printed; `null` when no source had one. */
  readonly raw: string | null;
  /** `none` when no source had a name. */
  readonly source: AttestationSource;
  /** Weaker sources that named another model. */
  readonly overruled: readonly ServedModelObservation[];
  /** Why the turn was not served by the selection; absent when it was, or when nothing was seen. */
  readonly deviation?: string;
}

/** What one turn shows, from one source or several: the strongest that named a model counts (AR-10). */
export function attestTurn(turn: ServedModelTurn, options: AttestOptions): TurnAttestation {
  const named = observationsOf(turn)
    .filter(hasName)
    .sort((a, b) => compareSources(b.source, a.source));
  const counted = named[0];
  if (counted === undefined) {
    return { level: AttestationLevel.unknown, raw: null, source: AttestationSource.none, overruled: [] };
  }
  const normalize = (raw: string) => normalizeServedModel(raw, options.selected.providerId, options.pool);
  const model = normalize(counted.raw);
  const deviation = reasonAgainst(model, { ...options, raw: counted.raw });
  return {
    ...model,
    raw: counted.raw,
    source: counted.source,
    overruled: named.filter(({ raw }) => normalize(raw).identity !== model.identity),
    ...(deviation === undefined ? {} : { deviation }),
  };
}

/**
 * The attempt's attestation from its turns in order (AR-10): level and source are the weakest of any turn, and the
 * first turn that deviates decides instead, whatever the others were. A turn deviates when it wasn't served by the
 * selection, and when it was served by another model than the turns before it, even inside the selected channel.
 * No turns at all is `unknown`.
 */
export function combineTurns(turns: readonly ServedModelTurn[], options: AttestOptions): ServedModelAttestation {
  const attested = turns.map((turn) => attestTurn(turn, options));
  const deviation = firstDeviation(attested);
  const deciding = deviation === undefined ? weakest(attested) : attested[deviation.turn - 1];
  const disagreements = disagreementsOf(attested);
  return {
    level: deciding?.level ?? AttestationLevel.unknown,
    ...(deciding?.modelRef === undefined ? {} : { normalizedModelRef: deciding.modelRef }),
    reported: [...new Set(attested.flatMap(({ raw }) => raw ?? []))],
    source: weakestSource(attested),
    turns: turns.length,
    ...(deviation === undefined ? {} : { deviation }),
    ...(disagreements.length === 0 ? {} : { disagreements }),
  };
}

function observationsOf(turn: ServedModelTurn): readonly ServedModelObservation[] {
  return isList(turn) ? turn : [turn];
}

function isList(turn: ServedModelTurn): turn is readonly ServedModelObservation[] {
  return Array.isArray(turn);
}

function hasName(observation: ServedModelObservation): observation is ServedModelObservation & { raw: string } {
  const { raw, source } = observation;
  return raw !== null && source !== AttestationSource.none && !NO_MODEL_NAMES.has(raw.trim());
}

function firstDeviation(turns: readonly TurnAttestation[]): ServedModelDeviation | undefined {
  let first: TurnAttestation | undefined;
  for (const [at, turn] of turns.entries()) {
    if (turn.raw === null) continue;
    first ??= turn;
    const reason = turn.deviation ?? changeOf(first, turn);
    if (reason !== undefined) return { turn: at + 1, raw: turn.raw, source: turn.source, reason };
  }
  return undefined;
}

const weakness: Readonly<Record<AttestationLevel, number>> = { unrecognised: 0, unknown: 1, channel: 2, exact: 3 };

function weakest(turns: readonly TurnAttestation[]): TurnAttestation | undefined {
  return turns.reduce<TurnAttestation | undefined>(
    (found, turn) => (found === undefined || weakness[turn.level] < weakness[found.level] ? turn : found),
    undefined,
  );
}

function weakestSource(turns: readonly TurnAttestation[]): AttestationSource {
  const sources = turns.map(({ source }) => source).sort(compareSources);
  return sources[0] ?? AttestationSource.none;
}

function disagreementsOf(turns: readonly TurnAttestation[]): readonly SourceDisagreement[] {
  return turns.flatMap(({ raw, source, overruled }, at) =>
    overruled.length === 0 ? [] : [{ turn: at + 1, counted: { raw, source }, overruled }],
  );
}
