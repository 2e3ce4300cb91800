import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePoolRow, isAssignmentError, shippedModelPool } from '../../src/index.ts';
import { errorOf } from '../support.ts';

// More on demand: the same property with a hundred thousand documents.
const numRuns = Number(process.env['BAILIWICK_FUZZ_RUNS'] ?? 800);
const timeout = 30_000 + 2 * numRuns;

const shipped = JSON.stringify(shippedModelPool()[0]);
const shorthand = JSON.stringify({
  modelRef: 'custom/aider',
  executionValue: 'aider',
  modelId: 'a',
  versionKind: 'pinned',
  channelFamily: 'f',
  aliases: ['x'],
  roles: ['verifier'],
  maxBoundaryPrecision: 'none',
});

/** Every place of a document, as keys from its root. */
function placesOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))].filter(
    (p) => p.length > 0,
  );
}

function changedAt(document: unknown, place: readonly string[], value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(document) ? [...document] : { ...Object(document) };
  Reflect.set(copy, key, changedAt(Reflect.get(copy, key), rest, value));
  return copy;
}

/** Of no type that the place can have: wrong wherever it is put. */
const neverRight = fc.constantFrom<unknown>(7, true, '', ' ', 'a\u0000b', [[]], { x: 1 }, 1.5, -0, '\ud800');

describe('decodePoolRow', () => {
  it('refuses an accepted row with one field changed, for that path and no other', { timeout }, () => {
    for (const text of [shipped, shorthand]) {
      const places = placesOf(JSON.parse(text));
      fc.assert(
        fc.property(fc.constantFrom(...places), neverRight, (place, value) => {
          const changed = changedAt(JSON.parse(text), place, value);
          const { issues } = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow(changed, 'fuzz')).details;
          const pointer = `/${place.join('/')}`;
          expect(issues?.length).toBeGreaterThan(0);
          expect(issues?.filter(({ path }) => path !== pointer && !path.startsWith(`${pointer}/`))).toEqual([]);
        }),
        { numRuns },
      );
    }
  });

  it('refuses an unknown key by its own path, and a missing one by its own', () => {
    for (const text of [shipped, shorthand]) {
      const surplus = { ...JSON.parse(text), 'a/b': 1 };
      const { issues } = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow(surplus, 'fuzz')).details;
      expect(issues).toEqual([{ path: '/a~1b', message: 'unknown key' }]);
    }
    const { modelId: _, ...short } = JSON.parse(shipped);
    const error = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow(short, 'fuzz'));
    expect(error.details.issues?.map(({ path }) => path)).toEqual(['/modelId']);
  });

  it('throws nothing but its own code for documents of any shape', { timeout }, () => {
    const keys = [
      'modelRef',
      'providerId',
      'modelId',
      'aliases',
      'bindings',
      'executionValue',
      'versionKind',
      '__proto__',
    ];
    const alike = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.jsonValue(), alike), (value) => {
        try {
          decodePoolRow(value, 'fuzz');
        } catch (error) {
          expect(isAssignmentError(error) && error.code === 'MODEL_POOL_ROW_INVALID').toBe(true);
        }
      }),
      { numRuns },
    );
  });

  it.each(['-rf', '--model=x', ' opus', 'op\nus', '\u0000', ''])(
    'refuses the execution value %j, which would be more than one argument or an option',
    (resolvedExecutionValue) => {
      const bad = changedAt(JSON.parse(shipped), ['bindings', '0', 'resolvedExecutionValue'], resolvedExecutionValue);
      const { issues } = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow(bad, 'test')).details;
      expect(issues?.[0]?.path).toBe('/bindings/0/resolvedExecutionValue');
    },
  );

  it('names the row, its first findings and what to do', () => {
    const error = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow({}, 'config.json#/models/3'));
    expect(error.message).toContain('config.json#/models/3');
    expect(error.message).toMatch(/\(and \d+ more\)$/);
    expect(error.hint).toBe('Correct the row, or take it out.');
  });
});
