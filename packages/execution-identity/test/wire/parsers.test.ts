import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import {
  decodeIdentity,
  encodeIdentity,
  identityOfMetadata,
  isIdentityError,
  metadataCodec,
  reservationCodec,
} from '../../src/index.ts';
import { fixturesOf } from '../fixtures.ts';
import { manifest, metadataV2 } from '../samples.ts';

const runs = trialRuns(400);
const documentsOf = (format: 'v1' | 'v2' | 'reservation-v2'): readonly unknown[] =>
  fixturesOf(format, 'accept').map(({ document }) => document);

const identity = encodeIdentity({ generation: 'v2', ...identityOfMetadata(metadataV2()) });

const parsers = [
  ['prompt metadata v1', documentsOf('v1'), metadataCodec],
  ['prompt metadata v2', documentsOf('v2'), metadataCodec],
  ['reservation', documentsOf('reservation-v2'), reservationCodec],
] as const;

describe.each(parsers)('%s', (name, accepted, codec) => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const refusalOf = (document: unknown) => refusalIn(() => codec.decode(document, 'trial'));
    const { documents, changed } = tryParser({ name, accepted, refusalOf, isJudged }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

describe('the identity in a record', () => {
  it('ends in acceptance or a coded error, and a changed field is refused', { timeout: 30_000 + runs * 5 }, () => {
    const read = (document: unknown) => refusalIn(() => decodeIdentity(document, manifest, 'trial'));
    const refusalOf = (document: unknown) => {
      const refusal = read(document);
      return refusal === undefined ? undefined : { isCoded: refusal.isCoded };
    };
    const { documents, changed } = tryParser({ name: 'recorded identity', accepted: [identity], refusalOf }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

/** What else an assignment holds is the host's own. */
function isJudged(place: readonly string[]): boolean {
  const known = ['hostModelValue', 'modelRef', 'provider', 'runner', 'modelExecutionValue'];
  return place[0] !== 'assignment' || place[1] === undefined || (known.includes(place[1]) && place.length === 2);
}

function refusalIn(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return isIdentityError(error)
      ? { isCoded: true, paths: error.issues?.map(({ path }) => path) ?? [] }
      : { isCoded: false };
  }
}
