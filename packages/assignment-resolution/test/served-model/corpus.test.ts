import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createModelPool,
  FAMILY_RULES,
  normalizeServedModel,
  SPELLING_RULES,
  shippedModelPool,
  spellingsOf,
} from '../../src/index.ts';

interface CorpusName {
  readonly raw: string;
  readonly provider: string;
  readonly source: string;
  readonly level: string;
  readonly modelRef?: string;
}
interface Corpus {
  readonly sources: Readonly<Record<string, { program: string; version: string; where: string }>>;
  readonly names: readonly CorpusName[];
}

const file = join(import.meta.dirname, '..', 'fixtures', 'served-models', 'corpus.json');
// Our own fixture; the tests below fail where it hasn't this shape.
const corpus = JSON.parse(readFileSync(file, 'utf8')) as Corpus;
const pool = createModelPool(shippedModelPool());

describe('names that agent CLIs, gateways and model APIs really print', () => {
  it('are at least 60, each with program, version and where it was seen', () => {
    expect(new Set(corpus.names.map(({ raw }) => raw)).size).toBeGreaterThanOrEqual(60);
    for (const { raw, source } of corpus.names) {
      expect(
        Object.values(corpus.sources[source] ?? {}).filter((text) => text.length > 0),
        raw,
      ).toHaveLength(3);
    }
  });

  it.each(corpus.names)('AR-7 $raw from $provider is $level $modelRef', ({ raw, provider, level, modelRef }) => {
    const found = normalizeServedModel(raw, provider, pool);
    expect({ level: found.level, modelRef: found.modelRef }).toEqual({ level, modelRef });
  });

  it.each(SPELLING_RULES)('show the rule "$name" at work', ({ pattern }) => {
    expect(corpus.names.some(({ raw }) => spellingsOf(raw).some((spelling) => pattern.test(spelling)))).toBe(true);
  });

  it.each(FAMILY_RULES)('show the family rule $pattern at work', ({ pattern }) => {
    expect(corpus.names.some(({ raw }) => spellingsOf(raw).some((spelling) => pattern.test(spelling)))).toBe(true);
  });

  it('hold names that map to nothing, which stay unrecognised', () => {
    expect(corpus.names.filter(({ level }) => level === 'unrecognised').length).toBeGreaterThanOrEqual(15);
  });
});
