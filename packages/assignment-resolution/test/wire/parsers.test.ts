import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { decodePoolRow, isAssignmentError } from '../../src/index.ts';

const runs = trialRuns(400);
const folder = join(import.meta.dirname, '..', 'fixtures', 'wire', 'v1', 'accept');
const accepted = readdirSync(folder).map((name): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8')));

describe('the reader of pool rows', () => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const { documents, changed } = tryParser({ name: 'model pool row', accepted, refusalOf }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

function refusalOf(document: unknown): Refusal | undefined {
  try {
    decodePoolRow(document, 'trial');
    return undefined;
  } catch (error) {
    return isAssignmentError(error)
      ? { isCoded: true, paths: error.details.issues?.map(({ path }) => path) ?? [] }
      : { isCoded: false };
  }
}
