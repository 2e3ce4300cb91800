import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the corpus below test/fixtures/wire/<format>/{accept,reject}. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  readonly document: unknown;
  /** Of a rejected document: the code it must give, and the JSON pointer it must give it for. */
  readonly expect?: { readonly code: string; readonly path: string };
}

const wire = join(import.meta.dirname, 'fixtures', 'wire');

export function fixturesOf(format: 'v1' | 'v2' | 'reservation-v2', kind: 'accept' | 'reject'): readonly Fixture[] {
  const folder = join(wire, format, kind);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      // The corpus is written by hand to this shape; a file that isn't fails the test that uses it.
      const fixture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Fixture, 'name'>;
      return { ...fixture, name: `${format}/${kind}/${file}` };
    });
}
