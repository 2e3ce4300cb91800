import { defineDocument, isDurableFileError } from '@bailiwick/durable-files';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { SchemaExcerptV1 } from '../../src/schema.ts';

const runs = trialRuns(300);
const codec = defineDocument<unknown>({ name: 'schema excerpt', version: '1.0', schema: SchemaExcerptV1 });
const accepted = [{ schemaVersion: '1.0', madeBy: '1.0', role: 'verifier', excerpt: '{"verification":{}}' }];

describe('a schema excerpt', () => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const { documents, changed } = tryParser({ name: 'schema excerpt', accepted, refusalOf }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

function refusalOf(document: unknown): Refusal | undefined {
  try {
    codec.decode(document, 'trial');
    return undefined;
  } catch (error) {
    return isDurableFileError(error)
      ? { isCoded: true, paths: error.issues?.map(({ path }) => path) ?? [] }
      : { isCoded: false };
  }
}
