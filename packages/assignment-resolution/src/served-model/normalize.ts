import { AttestationLevel, type ModelPoolEntry, type ModelRef, VersionKind } from '../model.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { familyOf } from './families.ts';
import { spellingsOf } from './spellings.ts';

/** As long as a name in the pool may be. */
const MAX_NAME_LENGTH = 2048;

/** What a served model's name stands for in a pool. */
export interface NormalizedModel {
  /** What the name proves. */
  readonly level: AttestationLevel;
  /** There for `exact` and `channel`. */
  readonly modelRef?: ModelRef;
  /** Two names of the same model have the same identity, two models never. */
  readonly identity?: string;
}

/**
 * What agent CLIs write where a model's name belongs, when no model spoke.
 * `<synthetic>`: Claude Code 2.1, `message.model` of the messages that it makes itself, e.g. after an API error.
 */
export const NO_MODEL_NAMES: ReadonlySet<string> = new Set(['', '<synthetic>']);

/**
 * Maps a name as an agent CLI, a gateway or an API printed it to the pool (AR-7). The name as it stands comes first, so
 * that a user's alias for it decides; then what is left of it as wrappings come off; then the channel of its family.
 * A name that none of these places is `unrecognised`, never guessed.
 */
export function normalizeServedModel(raw: string, providerId: string, pool: ModelPool): NormalizedModel {
  const name = raw.trim();
  if (NO_MODEL_NAMES.has(name)) return { level: AttestationLevel.unknown };
  // What is longer than any pool name can be is no wrapping of one either.
  const spellings = name.length <= MAX_NAME_LENGTH ? spellingsOf(name) : [];
  for (const spelling of spellings) {
    const entry = pool.findByName(providerId, spelling);
    if (entry !== undefined) return { level: levelOf(entry), modelRef: entry.modelRef, identity: entry.modelRef };
  }
  return placeInFamily(spellings, providerId, pool) ?? { level: AttestationLevel.unrecognised, identity: name };
}

/** The level that an observation of this entry has: the name of a channel proves a channel only (AR-8). */
export function levelOf(entry: ModelPoolEntry): AttestationLevel {
  return entry.versionKind === VersionKind.pinned ? AttestationLevel.exact : AttestationLevel.channel;
}

function placeInFamily(spellings: readonly string[], providerId: string, pool: ModelPool): NormalizedModel | undefined {
  for (const spelling of spellings) {
    const family = familyOf(spelling);
    const channel = family === undefined ? undefined : pool.findChannel(providerId, family);
    // The name itself stays the identity: two releases of one channel are two models.
    if (channel !== undefined)
      return { level: AttestationLevel.channel, modelRef: channel.modelRef, identity: spelling };
  }
  return undefined;
}
