import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the corpus below test/fixtures/wire/<format>/{accept,reject}. */
export interface WireFixture {
  readonly name: string;
  readonly description: string;
  readonly document: unknown;
  /** Of a rejected document: the code, the JSON pointer, and whether only a rule across fields refuses it. */
  readonly expect?: { readonly code: string; readonly path: string; readonly beyondSchema?: boolean };
}

export function wireFixtures(
  format: 'envelope-v1' | 'statement-v1',
  kind: 'accept' | 'reject',
): readonly WireFixture[] {
  const folder = join(import.meta.dirname, '..', 'fixtures', 'wire', format, kind);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      // The corpus is written to this shape; a file that isn't fails the test that uses it.
      const fixture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<WireFixture, 'name'>;
      return { ...fixture, name: file };
    });
}
