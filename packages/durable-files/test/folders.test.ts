import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimFile, ensureFolder, isFolder, listFolder, removeFile } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

describe('ensureFolder', () => {
  it('makes missing folders at any depth, for their owner only, and is content with those that are there', async () => {
    const path = join(tempFolder(), 'a/b/c');
    await ensureFolder(path);
    await ensureFolder(path);
    await ensureFolder(join(path, 'd'), { mode: 0o755 });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'd')).mode & 0o777).toBe(0o755);
  });

  it('says when something else stands there or in the path', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(ensureFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'NOT_A_FOLDER' });
    await expect(ensureFolder(join(folder, 'file/sub'))).rejects.toMatchObject({ code: 'NOT_A_FOLDER' });
  });

  it('can be called for one folder many times at once', async () => {
    const path = join(tempFolder(), 'a/b');
    await Promise.all(Array.from({ length: 20 }, () => ensureFolder(path)));
    expect(statSync(path).isDirectory()).toBe(true);
  });
});

describe('isFolder', () => {
  it('is true of a folder alone: not of a link to one, a file, or nothing', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(folder, join(folder, 'link'));
    const found = await Promise.all(
      ['', 'file', 'link', 'none', 'file/below'].map((name) => isFolder(join(folder, name))),
    );
    expect(found).toEqual([true, false, false, false, false]);
  });
});

describe('listFolder', () => {
  it('lists names sorted by code unit, without what an atomic write left behind', async () => {
    const folder = tempFolder();
    for (const name of ['b', 'a', 'B', '.hidden', '.a.json.staging-0af3', '.a.json.staging-0af3.1234']) {
      writeFileSync(join(folder, name), '');
    }
    mkdirSync(join(folder, 'sub'));
    expect(await listFolder(folder)).toEqual(['.hidden', 'B', 'a', 'b', 'sub']);
  });

  it('is empty for a missing folder, and refuses a file', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await listFolder(join(folder, 'no'))).toEqual([]);
    await expect(listFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'NOT_A_FOLDER' });
  });
});

describe('claimFile', () => {
  it('succeeds once, until the claim is removed', async () => {
    const path = join(tempFolder(), 'claim');
    expect(await claimFile(path, 'me')).toBe(true);
    expect(await claimFile(path, 'you')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('me');
    expect(await removeFile(path)).toBe(true);
    expect(await claimFile(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('lets one of many claimers succeed', async () => {
    const path = join(tempFolder(), 'claim');
    const claims = await Promise.all(Array.from({ length: 30 }, () => claimFile(path)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('is not led elsewhere by a symlink', async () => {
    const folder = tempFolder();
    symlinkSync('nowhere', join(folder, 'claim'));
    expect(await claimFile(join(folder, 'claim'), 'x')).toBe(false);
    expect(await listFolder(folder)).toEqual(['claim']);
  });

  it('says that the folder is missing', async () => {
    await expect(claimFile(join(tempFolder(), 'no/claim'))).rejects.toMatchObject({ code: 'FOLDER_MISSING' });
  });
});

describe('removeFile', () => {
  it('says whether there was something to remove', async () => {
    const path = join(tempFolder(), 'a');
    writeFileSync(path, '');
    expect(await removeFile(path)).toBe(true);
    expect(await removeFile(path)).toBe(false);
  });

  it('does the same where nobody waits until it is durable', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'a'), '');
    expect(await removeFile(join(folder, 'a'), { flush: false })).toBe(true);
    expect(await listFolder(folder)).toEqual([]);
  });

  it('removes a symlink and not its target, and no folder', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'target'), '');
    symlinkSync('target', join(folder, 'link'));
    mkdirSync(join(folder, 'sub'));
    expect(await removeFile(join(folder, 'link'))).toBe(true);
    await expect(removeFile(join(folder, 'sub'))).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE' });
    expect(await listFolder(folder)).toEqual(['sub', 'target']);
  });
});
