import { readdirSync, readFileSync } from 'node:fs';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { decodeEnforcement, decodePolicy, isWritePolicyError } from '../../src/index.ts';

const runs = trialRuns(400);
const folder = new URL('../fixtures/wire/v1/accept/', import.meta.url);
// our own files
const fixtures = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { policy?: unknown; enforcement?: unknown },
);
const acceptedOf = (kind: 'policy' | 'enforcement'): readonly unknown[] =>
  fixtures.map((fixture) => fixture[kind]).filter((document) => document !== undefined);

const parsers = [
  ['write policy', acceptedOf('policy'), decodePolicy],
  ['write enforcement', acceptedOf('enforcement'), decodeEnforcement],
] as const;

describe.each(parsers)('%s', (name, accepted, decode) => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const { documents, changed } = tryParser(
      { name, accepted, refusalOf: (value) => refusalOf(() => decode(value)) },
      runs,
    );
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return isWritePolicyError(error)
      ? { isCoded: true, paths: error.issues?.map(({ path }) => path) ?? [] }
      : { isCoded: false };
  }
}
