import { isDurableFileError } from '@bailiwick/durable-files';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { decodeSeal, PAYLOAD_TYPE } from '../../src/index.ts';
import { wireFixtures } from '../support/wire-fixtures.ts';

const runs = trialRuns(300);
const acceptedOf = (format: 'envelope-v1' | 'statement-v1'): readonly unknown[] =>
  wireFixtures(format, 'accept').map(({ document }) => document);

const parsers = [
  ['seal', acceptedOf('envelope-v1'), textOf, ''],
  ['statement of a seal', acceptedOf('statement-v1'), (statement: unknown) => textOf(enveloped(statement)), '/payload'],
] as const;

describe.each(parsers)('%s', (name, accepted, textFor, root) => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const refusalOf = (document: unknown) => refusalIn(textFor(document), root);
    const { documents, changed } = tryParser({ name, accepted, refusalOf }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

/** Pointers from `root`, the place in the envelope at which the document stands. */
function refusalIn(text: string, root: string): Refusal | undefined {
  try {
    decodeSeal(text, 'trial');
    return undefined;
  } catch (error) {
    if (!isDurableFileError(error)) return { isCoded: false };
    const pointers = error.issues?.map(({ path }) => path) ?? [];
    return { isCoded: true, paths: pointers.map((path) => (path.startsWith(root) ? path.slice(root.length) : path)) };
  }
}

function enveloped(statement: unknown): unknown {
  const payload = Buffer.from(textOf(statement)).toString('base64');
  return { schemaVersion: '1.0', payloadType: PAYLOAD_TYPE, payload, signatures: [] };
}

/** As a seal's file is written; what JSON can't hold stands there as its words. */
function textOf(document: unknown): string {
  try {
    return `${JSON.stringify(document, null, 2) ?? String(document)}\n`;
  } catch {
    return 'neither here nor there';
  }
}
