import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyFileDurably, digestOfBytes } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

describe('copyFileDurably', () => {
  it.each([0, 5, 3 * 1024 * 1024 + 1])('copies %i bytes and returns their digest and number', async (size) => {
    const folder = tempFolder();
    const bytes = Buffer.alloc(size, 'abcdefg');
    writeFileSync(join(folder, 'from'), bytes);
    expect(await copyFileDurably(join(folder, 'from'), join(folder, 'to'))).toEqual({
      digest: digestOfBytes(bytes),
      size,
    });
    expect(readFileSync(join(folder, 'to')).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['from', 'to']);
  });

  it('replaces what is there, with the mode asked for', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'from'), 'new', { mode: 0o777 });
    writeFileSync(join(folder, 'to'), 'old');
    await copyFileDurably(join(folder, 'from'), join(folder, 'to'), { mode: 0o640 });
    expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'to')).mode & 0o777).toBe(0o640);
  });

  it('MA-13 reads nothing that is not a regular file, and leaves the destination alone', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'secret'), 'secret');
    writeFileSync(join(folder, 'to'), 'old');
    symlinkSync('secret', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['link', 'pipe', '']) {
      const copied = copyFileDurably(join(folder, name), join(folder, 'to'));
      await expect(copied).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE', path: join(folder, name) });
    }
    await expect(copyFileDurably(join(folder, 'no'), join(folder, 'to'))).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
    expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['link', 'pipe', 'secret', 'to']);
  });

  it('MA-13 refuses a source that a symlinked folder leads out of the drop box', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'box'));
    writeFileSync(join(folder, 'secret'), 'secret');
    symlinkSync('..', join(folder, 'box/up'));
    const copied = copyFileDurably(join(folder, 'box/up/secret'), join(folder, 'to'), { within: join(folder, 'box') });
    await expect(copied).rejects.toMatchObject({ code: 'PATH_ESCAPES' });
    expect(readdirSync(folder)).toEqual(['box', 'secret']);
  });

  it('refuses a destination that is a symlink', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'from'), 'new');
    writeFileSync(join(folder, 'target'), 'precious');
    symlinkSync('target', join(folder, 'to'));
    await expect(copyFileDurably(join(folder, 'from'), join(folder, 'to'))).rejects.toMatchObject({
      code: 'NOT_A_REGULAR_FILE',
    });
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('precious');
  });

  it('refuses a source over the limit, however little of it is real', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'sparse'), '');
    truncateSync(join(folder, 'sparse'), 2 ** 40);
    await expect(copyFileDurably(join(folder, 'sparse'), join(folder, 'to'))).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(readdirSync(folder)).toEqual(['sparse']);
  });

  it('says that the folder to copy into is missing', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'from'), 'x');
    const to = join(folder, 'no/to');
    await expect(copyFileDurably(join(folder, 'from'), to)).rejects.toMatchObject({ code: 'FOLDER_MISSING', path: to });
  });
});
