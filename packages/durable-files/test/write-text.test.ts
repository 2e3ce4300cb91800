import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOfBytes, isStagingName, listFolder, readTextFile, writeTextFile } from '../src/index.ts';
import { runProgram } from './child-program.ts';
import { tempFolder } from './temp-folder.ts';

// A program of its own, and a disk that may be busy.
const SLOW_MS = 120_000;

describe('writeTextFile', () => {
  it('writes a new file for its owner only and returns the digest of its bytes', async () => {
    const path = join(tempFolder(), 'a.txt');
    expect(await writeTextFile(path, 'grüße\n')).toBe(digestOfBytes('grüße\n'));
    expect(readFileSync(path, 'utf8')).toBe('grüße\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('at once in one folder shares its flushes, each of which began after the files that it counts for had their names', {
    timeout: SLOW_MS,
  }, async () => {
    const files = 12;
    const { lines } = await runProgram('flush-counter', [tempFolder(), String(files)]);
    expect(lines.slice(0, -1)).toEqual(Array(files).fill('covered'));
    expect(Number(lines.at(-1))).toBeLessThan(files / 2);
  });

  it('gives exactly the mode that was asked for, whatever umask and earlier file say', async () => {
    const path = join(tempFolder(), 'run.sh');
    writeFileSync(path, 'old', { mode: 0o600 });
    await writeTextFile(path, 'new', { mode: 0o755 });
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it('replaces a file as a whole: who has the old one open or linked keeps the old content', async () => {
    const folder = tempFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'old');
    linkSync(path, join(folder, 'other'));
    await writeTextFile(path, 'new');
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('old');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('leaves nothing else in the folder', async () => {
    const folder = tempFolder();
    await writeTextFile(join(folder, 'a'), '1');
    await writeTextFile(join(folder, 'a'), '2');
    await writeTextFile(join(folder, 'b'), '1', { exclusive: true });
    await expect(writeTextFile(join(folder, 'b'), '2', { exclusive: true })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['a', 'b']);
    expect(statSync(join(folder, 'b')).nlink).toBe(1);
  });

  it.each([{ exclusive: false }, { exclusive: true }])(
    'refuses a planted symlink and leaves its target alone ($exclusive)',
    async (options) => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'target'), 'precious');
      symlinkSync('target', join(folder, 'link'));
      symlinkSync('nowhere', join(folder, 'dangling'));
      const code = 'NOT_A_REGULAR_FILE';
      await expect(writeTextFile(join(folder, 'link'), 'x', options)).rejects.toMatchObject({ code });
      await expect(writeTextFile(join(folder, 'dangling'), 'x', options)).rejects.toMatchObject({ code });
      expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('precious');
      expect(readlinkSync(join(folder, 'link'))).toBe('target');
      expect(readdirSync(folder)).toEqual(['dangling', 'link', 'target']);
    },
  );

  it('refuses a folder and a pipe at the destination', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['sub', 'pipe']) {
      await expect(writeTextFile(join(folder, name), 'x')).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE' });
    }
  });

  it('says that the folder is missing, or is none, or the name too long', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const write = (name: string) => writeTextFile(join(folder, name), 'x');
    await expect(write('no/a')).rejects.toMatchObject({ code: 'FOLDER_MISSING' });
    await expect(write('file/a')).rejects.toMatchObject({ code: 'NOT_A_FOLDER' });
    await expect(write('n'.repeat(256))).rejects.toMatchObject({ code: 'NAME_TOO_LONG' });
  });

  it('takes a name as long as the file system does', async () => {
    const path = join(tempFolder(), 'é'.repeat(127));
    await writeTextFile(path, 'x');
    expect(await readTextFile(path)).toBe('x');
  });

  it('exclusively, writes only where nothing is', async () => {
    const path = join(tempFolder(), 'a');
    await writeTextFile(path, 'first', { exclusive: true });
    await expect(writeTextFile(path, 'second', { exclusive: true })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      path,
    });
    expect(readFileSync(path, 'utf8')).toBe('first');
  });

  it('lets exactly one of many exclusive writers win, within a process', async () => {
    const path = join(tempFolder(), 'claim');
    const writes = Array.from({ length: 50 }, (_, index) => writeTextFile(path, String(index), { exclusive: true }));
    const settled = await Promise.allSettled(writes);
    const winners = settled.flatMap((one, index) => (one.status === 'fulfilled' ? [String(index)] : []));
    expect(winners).toEqual([readFileSync(path, 'utf8')]);
  });

  it('lets exactly one of many exclusive writers win, across processes', async () => {
    const folder = tempFolder();
    const rounds = 30;
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, index) => runProgram('exclusive-writer', [folder, String(index), String(rounds)])),
    );
    const winners = all.flatMap(({ lines }) => lines).map((line) => line.split(' '));
    expect(new Set(winners.map(([name]) => name))).toEqual(new Set(await listFolder(folder)));
    expect(winners).toHaveLength(rounds);
    for (const [name = '', writer] of winners) expect(readFileSync(join(folder, name), 'utf8')).toBe(writer);
  });

  it('lets writes of one process for one path take effect in the order they were made', async () => {
    const path = join(tempFolder(), 'a');
    const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat((40 - index) * 5000) + index);
    await Promise.all(texts.map((text) => writeTextFile(path, text)));
    expect(readFileSync(path, 'utf8')).toBe(texts.at(-1));
  });

  it('goes on after a write for the same path has failed', async () => {
    const folder = join(tempFolder(), 'late');
    const failed = writeTextFile(join(folder, 'a'), '1');
    const also = writeTextFile(join(folder, 'a'), '2');
    expect((await Promise.allSettled([failed, also])).map((one) => one.status)).toEqual(['rejected', 'rejected']);
    mkdirSync(folder);
    await writeTextFile(join(folder, 'a'), '3');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('3');
  });
});

describe('readTextFile', () => {
  it('returns undefined when nothing is there, and an empty text for an empty file', async () => {
    const path = join(tempFolder(), 'a');
    expect(await readTextFile(path)).toBeUndefined();
    writeFileSync(path, '');
    expect(await readTextFile(path)).toBe('');
  });

  it('keeps every character, a byte order mark too', async () => {
    const path = join(tempFolder(), 'a');
    const text = '\ufeffa\r\n\u0000é\u{1f600}';
    writeFileSync(path, text);
    expect(await readTextFile(path)).toBe(text);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const path = join(tempFolder(), 'a');
    writeFileSync(path, Buffer.from([0x61, 0xc3]));
    await expect(readTextFile(path)).rejects.toMatchObject({ code: 'FILE_NOT_UTF8', path });
  });

  it('refuses a file over the limit', async () => {
    const path = join(tempFolder(), 'a');
    writeFileSync(path, '12345');
    await expect(readTextFile(path, { maxBytes: 4 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(await readTextFile(path, { maxBytes: 5 })).toBe('12345');
  });

  it('reads files whose size is not told, up to the limit', async () => {
    expect(await readTextFile('/proc/self/status')).toContain('Name:');
    await expect(readTextFile('/proc/self/status', { maxBytes: 10 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('refuses what is no regular file, and follows a symlink only when told to', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync('file', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['', 'link', 'pipe']) {
      await expect(readTextFile(join(folder, name))).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE' });
    }
    expect(await readTextFile(join(folder, 'link'), { followLinks: true })).toBe('x');
    await expect(readTextFile(join(folder, 'pipe'), { followLinks: true })).rejects.toMatchObject({
      code: 'NOT_A_REGULAR_FILE',
    });
  });
});

describe('isStagingName', () => {
  it('knows the names of ours and of write-file-atomic, and no others', () => {
    expect(['.a.json.staging-0af3', '.a.json.staging-0af3.123456'].every(isStagingName)).toBe(true);
    expect(['a.json', '.a.json', 'a.staging-1', '.staging-1', 'a.json.damaged-12345678'].some(isStagingName)).toBe(
      false,
    );
  });
});
