import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SMALL_HEAP = fileURLToPath(new URL('../src/small-heap.ts', import.meta.url));

/** Of others a command leaves the heap alone. */
const isKnownMajor = /^2[24]\./.test(process.versions.node);

/** Keeps every tenth of what it makes for a while, as reading many documents does; tells how large that let the heap become. */
const PROGRAM = `
  import v8 from 'node:v8';
  const [path] = process.argv.slice(1);
  if (path !== undefined) await import(path);
  const kept = [];
  for (let at = 0; at < 2_000_000; at += 1) {
    const made = { at, name: 'made ' + at };
    if (at % 10 === 0) kept[at / 10 % 20_000] = made;
  }
  const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  process.stdout.write(JSON.stringify({ young: young.space_size, all: v8.getHeapStatistics().total_heap_size }));
`;

function heapSizes(...paths: readonly string[]): { readonly young: number; readonly all: number } {
  const args = ['--input-type=module', '--eval', PROGRAM, ...paths];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env: {} }));
}

describe('a command’s heap', () => {
  it.skipIf(!isKnownMajor)('stays small where a program of the same work lets it grow', () => {
    const large = heapSizes();
    const small = heapSizes(SMALL_HEAP);
    expect(small.young).toBeLessThan(large.young / 2);
    expect(small.all).toBeLessThan(large.all / 1.5);
  });
});
