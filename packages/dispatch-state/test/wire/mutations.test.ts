import { type DocumentCodec, isDurableFileError } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dispatchRecordCodec,
  invocationCodec,
  runManifestCodec,
  statusSidecarCodec,
  stopIntentCodec,
  supervisionOrderCodec,
  teamStateCodec,
} from '../../src/index.ts';
import { fileErrorOf } from '../support/errors.ts';
import { acceptedOf, type Format } from '../support/fixtures.ts';
import { changedAt, placesOf, pointerTo } from '../support/places.ts';

// More on demand: the same properties with a hundred thousand documents.
const numRuns = Number(process.env['BAILIWICK_FUZZ_RUNS'] ?? 400);
const timeout = 30_000 + 5 * numRuns;

const codecs: readonly (readonly [Format, DocumentCodec<unknown>])[] = [
  ['dispatch-record', dispatchRecordCodec],
  ['invocation', invocationCodec],
  ['run-manifest', runManifestCodec],
  ['status-sidecar', statusSidecarCodec],
  ['stop-intent', stopIntentCodec],
  ['supervision-order', supervisionOrderCodec],
  ['team-state', teamStateCodec],
] as readonly (readonly [Format, DocumentCodec<unknown>])[];

/** Wrong at every place of every format, but for what the format doesn't look into. */
const neverRight = fc.constantFrom<unknown>({ x: 1 }, [[]], { kind: 1 }, -7.5);
const isOpaque = (place: readonly string[]): boolean => place.includes('poolEntries');

describe.each(codecs)('%s', (format, codec) => {
  const documents = acceptedOf(format).map(({ document }) => document);
  const spots = documents.flatMap((document) =>
    placesOf(document)
      .filter((place) => !isOpaque(place))
      .map((place) => ({ document, place })),
  );

  it('with one field changed is refused for that field and no other', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...spots), neverRight, async ({ document, place }, value) => {
        const changed = changedAt(document, place, value);
        const { issues = [] } = await fileErrorOf('DOCUMENT_INVALID', () => codec.decode(changed, 'fuzz'));
        const pointer = pointerTo(place);
        expect(issues.length).toBeGreaterThan(0);
        expect(issues.filter(({ path }) => path !== pointer && !path.startsWith(`${pointer}/`))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('with one key more in any of its objects is refused for that key', { timeout }, async () => {
    const objects = spots.filter(({ place }) => !/^\d+$/.test(place.at(-1) ?? ''));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...objects), async ({ document, place }) => {
        const surplus = [...place.slice(0, -1), 'sur/plus'];
        const changed = changedAt(document, surplus, 1);
        const { issues } = await fileErrorOf('DOCUMENT_INVALID', () => codec.decode(changed, 'fuzz'));
        expect(issues?.map(({ path }) => path)).toEqual([pointerTo(surplus)]);
      }),
      { numRuns },
    );
  });

  it('gives nothing but its own codes for documents of any shape', { timeout }, () => {
    const keys = ['__proto__', ...new Set(spots.map(({ place }) => place[0] ?? ''))];
    const alike = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
    const ofThisVersion = alike.map((rest) => ({ ...rest, schemaVersion: codec.version }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), alike, ofThisVersion), (value) => {
        expect(['DOCUMENT_INVALID', 'DOCUMENT_NEWER_VERSION']).toContain(codeOf(() => codec.decode(value, 'fuzz')));
      }),
      { numRuns },
    );
  });
});

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'nothing was thrown';
  } catch (error) {
    return isDurableFileError(error) ? error.code : String(error);
  }
}
