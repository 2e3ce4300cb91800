import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTextFile } from '@bailiwick/durable-files';
import type { Benchmark } from './measure.ts';

const TEXT = `${JSON.stringify({ text: 'x'.repeat(4000) })}\n`;
const WRITES = 20;

/** What a transition costs: one atomic replace, checked, flushed, its folder flushed. */
export const WRITE: Benchmark = {
  name: 'write',
  work: `${WRITES} durable documents of 4 kB, one after another`,
  floorName: 'open, write, fsync, rename, fsync of the folder, by hand',
  bar: 1.6,
  run: async (use) => {
    const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-'));
    try {
      return await use({
        ours: () => times((at) => writeTextFile(join(folder, `${at}.json`), TEXT)),
        floor: () => times((at) => byHand(folder, at)),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function times(write: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < WRITES; at += 1) await write(at);
}

async function byHand(folder: string, at: number): Promise<void> {
  const staging = join(folder, `.${at}.staging`);
  const file = await open(staging, 'w', 0o600);
  await file.writeFile(TEXT);
  await file.sync();
  await file.close();
  await rename(staging, join(folder, `${at}.floor`));
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}
