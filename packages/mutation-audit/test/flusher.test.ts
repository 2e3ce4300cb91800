import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flushOnce, KeptFlusher } from '../src/snapshot/flusher.ts';
import { tempFolder } from './support/git-tree.ts';

/** The processes that are waited for by this one. */
function children(): readonly string[] {
  const tasks = readdirSync('/proc/self/task');
  const ids = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '));
  return ids.filter((id) => id !== '');
}

describe('a flusher', () => {
  it('tells of each root, in whatever order they come, whether its file system was flushed', async () => {
    const root = tempFolder('flushed');
    const odd = join(root, "it's a $(touch x) \n folder");
    mkdirSync(odd);
    for (const flusher of [flushOnce(), new KeptFlusher()]) {
      const roots = [root, join(root, 'none'), odd, root, join(root, '-f')];
      expect(await Promise.all(roots.map((path) => flusher.flush(path)))).toEqual([true, false, true, true, false]);
      expect(await flusher.flush(root)).toBe(true);
    }
    expect(readdirSync(root)).toHaveLength(1);
  });

  it.skipIf(process.platform !== 'linux')('leaves no process for the caller to wait for', async () => {
    const before = children();
    await new KeptFlusher().flush(tempFolder('flushed'));
    await expect.poll(children, { timeout: 30_000 }).toEqual(before);
  });
});
