import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTail } from '../src/index.ts';
import { tempFolder } from './support/temp-folder.ts';

describe('readTail', () => {
  it('gives the whole of a short log, and the end of a long one', async () => {
    const log = join(tempFolder(), 'log');
    writeFileSync(log, `${'x'.repeat(10_000)}the end`);
    expect(await readTail(log, 7)).toBe('the end');
    expect(await readTail(log, 100_000)).toHaveLength(10_007);
    expect(await readTail(log, 0)).toBe('');
  });

  it('shows a character that is cut in two as U+FFFD', async () => {
    const log = join(tempFolder(), 'log');
    writeFileSync(log, 'aé');
    expect(await readTail(log, 1)).toBe('\ufffd');
    expect(await readTail(log, 2)).toBe('é');
  });

  it('gives nothing where there is no log', async () => {
    expect(await readTail(join(tempFolder(), 'none'), 800)).toBe('');
  });

  it('neither follows a link that was put in the place of a log nor waits for a pipe', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'secret'), 'secret');
    symlinkSync(join(folder, 'secret'), join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await readTail(join(folder, 'link'), 800)).toBe('');
    expect(await readTail(join(folder, 'pipe'), 800)).toBe('');
    expect(await readTail(folder, 800)).toBe('');
  });
});
