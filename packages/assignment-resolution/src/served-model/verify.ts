import {
  AttestationLevel,
  type AttestationSource,
  type ModelPoolEntry,
  type ServedModelVerdict,
  type StoredAttestation,
} from '../model.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { normalizeServedModel } from './normalize.ts';
import { changeOf, reasonAgainst } from './selection.ts';
import { compareSources } from './sources.ts';

/** A selection, what was seen of the attempt that had it, and the pool that both are read by. */
export interface VerifyOptions {
  /** What the attempt was bound to. */
  readonly selected: ModelPoolEntry;
  /** What was seen of it. */
  readonly attestation: StoredAttestation;
  /** Names are placed in it. */
  readonly pool: ModelPool;
  /** What the run demands; absent: nothing. */
  readonly minimumSource?: AttestationSource;
}

/**
 * Whether an attempt was served by what was selected (AR-7, AR-8). `unobserved` passes, unless the run demands a
 * source: an attestation from a weaker one is a mismatch (AR-10). Level and ref are judged, and every reported name
 * anew against the pool, so an attestation from disk is trusted for what was seen, not for what was made of it.
 */
export function verifyServedModel(options: VerifyOptions): ServedModelVerdict {
  const reason = againstAttested(options) ?? againstReported(options) ?? belowMinimum(options);
  if (reason !== undefined) return { kind: 'mismatch', reason };
  return options.attestation.level === AttestationLevel.unknown ? { kind: 'unobserved' } : { kind: 'match' };
}

function againstAttested({ attestation, selected, pool }: VerifyOptions): string | undefined {
  const { level, normalizedModelRef, reported } = attestation;
  const raw = reported.join(', ') || 'the served model';
  return reasonAgainst(
    { level, ...(normalizedModelRef ? { modelRef: normalizedModelRef } : {}) },
    { selected, pool, raw },
  );
}

function againstReported({ attestation, selected, pool }: VerifyOptions): string | undefined {
  const models = attestation.reported.map((raw) => ({ raw, ...normalizeServedModel(raw, selected.providerId, pool) }));
  for (const model of models) {
    const reason = reasonAgainst(model, { selected, pool, raw: model.raw }) ?? changeOf(models[0], model);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function belowMinimum({ attestation, minimumSource }: VerifyOptions): string | undefined {
  if (minimumSource === undefined || compareSources(attestation.source, minimumSource) >= 0) return undefined;
  return `the run demands a served model seen from ${minimumSource}, and it was seen from ${attestation.source}`;
}
