import { isAssignmentError } from '../errors.ts';
import { AttestationLevel, type ModelPoolEntry, VersionKind } from '../model.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { levelOf } from './normalize.ts';

/** A served model as it was placed in the pool. */
export interface ObservedModel {
  readonly level: AttestationLevel;
  readonly modelRef?: string;
}

/** A name that was seen, with what tells its model from others. */
export interface NamedModel {
  readonly raw: string | null;
  readonly identity?: string;
}

/** Why an observed model is not what was selected (AR-7, AR-8); `undefined` when it is, or when none was observed. */
export function reasonAgainst(
  observed: ObservedModel,
  options: { selected: ModelPoolEntry; pool: ModelPool; raw: string },
): string | undefined {
  const { selected, pool, raw } = options;
  if (observed.level === AttestationLevel.unknown) return undefined;
  if (observed.level === AttestationLevel.unrecognised) {
    return `${raw} maps to no entry of the model pool for ${selected.providerId}`;
  }
  const entry = observed.modelRef === undefined ? undefined : entryOf(observed.modelRef, pool);
  if (entry === undefined) return `${observed.modelRef ?? raw} is no entry of the model pool`;
  if (levelOf(entry) !== observed.level) {
    return `level ${observed.level} doesn't fit ${entry.modelRef}, which is ${entry.versionKind}`;
  }
  return selected.versionKind === VersionKind.pinned ? againstPinned(entry, selected) : againstChannel(entry, selected);
}

/** Why two names that were seen are a change half-way: they stand for two models (AR-10). */
export function changeOf(first: NamedModel | undefined, then: NamedModel): string | undefined {
  if (first === undefined || first.identity === then.identity) return undefined;
  return `the served model changed half-way, from ${first.raw} to ${then.raw}`;
}

function entryOf(modelRef: string, pool: ModelPool): ModelPoolEntry | undefined {
  try {
    return pool.entry(modelRef);
  } catch (error) {
    if (isAssignmentError(error)) return undefined;
    throw error;
  }
}

function againstPinned(entry: ModelPoolEntry, selected: ModelPoolEntry): string | undefined {
  return entry.modelRef === selected.modelRef
    ? undefined
    : `${selected.modelRef} is pinned and ${entry.modelRef} served`;
}

function againstChannel(entry: ModelPoolEntry, selected: ModelPoolEntry): string | undefined {
  if (entry.providerId !== selected.providerId)
    return `${entry.modelRef} is of another provider than ${selected.modelRef}`;
  if (selected.channelFamily === undefined) return `${selected.modelRef} has no channel family that could be served`;
  if (entry.channelFamily === selected.channelFamily) return undefined;
  return `${entry.modelRef} is not of ${selected.modelRef}'s channel family ${selected.channelFamily}`;
}
