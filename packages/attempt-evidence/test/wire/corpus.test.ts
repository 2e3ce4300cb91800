import { type DurableFileError, isDurableFileError } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { decodeSeal, PAYLOAD_TYPE, PREDICATE_TYPE, STATEMENT_TYPE } from '../../src/index.ts';
import { type WireFixture, wireFixtures } from '../support/wire-fixtures.ts';

const formats = [
  ['envelope-v1', textOf],
  ['statement-v1', (document: unknown) => textOf(enveloped(document))],
] as const;

describe.each(formats)('the corpus of %s', (format, textFor) => {
  it.each(wireFixtures(format, 'accept'))('accepts $description ($name)', ({ document }) => {
    const seal = decodeSeal(textFor(document), 'seal.json');
    expect(format === 'envelope-v1' ? seal.envelope : seal.statement).toEqual(document);
    expect(seal.text).toBe(textFor(document));
  });

  it.each(wireFixtures(format, 'reject'))('refuses $description ($name)', (fixture) => {
    const error = errorOf(() => decodeSeal(textFor(fixture.document), 'seal.json'));
    expectReason(error, fixture);
  });
});

describe('the format', () => {
  it('is known by these words, whatever else changes', () => {
    expect([STATEMENT_TYPE, PREDICATE_TYPE, PAYLOAD_TYPE]).toEqual([
      'https://in-toto.io/Statement/v1',
      'https://bailiwick.dev/attempt/v1',
      'application/vnd.in-toto+json',
    ]);
  });

  it('has one spelling: the same seal with other white space or order of keys is refused', () => {
    const document = wireFixtures('envelope-v1', 'accept')[0]?.document;
    const reordered = Object.fromEntries(Object.entries(document as object).toReversed());
    for (const text of [JSON.stringify(document), textOf(reordered), `${textOf(document)}\n`])
      expect(errorOf(() => decodeSeal(text, 'seal.json')).code).toBe('DOCUMENT_INVALID');
  });
});

function enveloped(statement: unknown): unknown {
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  return { schemaVersion: '1.0', payloadType: PAYLOAD_TYPE, payload, signatures: [] };
}

function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function errorOf(decode: () => unknown): DurableFileError {
  try {
    decode();
  } catch (error) {
    if (isDurableFileError(error)) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

function expectReason(error: DurableFileError, { expect: reason }: WireFixture): void {
  expect(error.code).toBe(reason?.code);
  expect(error.path).toBe('seal.json');
  if (reason?.code === 'DOCUMENT_INVALID') expect(error.issues?.map(({ path }) => path)).toContain(reason.path);
}
