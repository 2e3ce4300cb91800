import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModelPool, decodePoolRow } from '../../src/index.ts';
import { errorOf } from '../support.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'wire', 'v1');

function fixtures(kind: 'accept' | 'reject'): readonly { name: string; value: unknown }[] {
  return readdirSync(join(folder, kind)).map((name) => ({
    name,
    value: JSON.parse(readFileSync(join(folder, kind, name), 'utf8')),
  }));
}

describe('rows of the model pool', () => {
  it.each(fixtures('accept'))('accepts $name', ({ value }) => {
    const entry = decodePoolRow(value, 'fixture');
    expect(createModelPool([value]).entry(entry.modelRef)).toEqual(entry);
  });

  it.each(fixtures('reject'))('refuses $name for the path that it gives', ({ value }) => {
    // Our own fixture: the path that must be found, and the row.
    const { path, row } = value as { path: string; row: unknown };
    const { issues } = errorOf('MODEL_POOL_ROW_INVALID', () => decodePoolRow(row, 'fixture')).details;
    expect(issues?.map((issue) => issue.path)).toContain(path);
  });

  it('an accepted row in full form, written and read again, is the same', () => {
    for (const { value } of fixtures('accept')) {
      const entry = decodePoolRow(value, 'fixture');
      expect(decodePoolRow(JSON.parse(JSON.stringify(entry)), 'again')).toEqual(entry);
    }
  });
});
