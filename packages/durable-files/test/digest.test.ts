import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOfBytes, digestOfDocument, digestOfFile, isDigest, parseDigest } from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

describe('digests', () => {
  it('are SHA-256 in lower-case hex, of text as of its UTF-8 bytes', () => {
    expect(digestOfBytes('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const hex = createHash('sha256').update(Buffer.from(text)).digest('hex');
        expect(digestOfBytes(text)).toBe(`sha256:${hex}`);
        expect(digestOfBytes(Buffer.from(text))).toBe(`sha256:${hex}`);
      }),
    );
  });

  it('of a document are over its canonical JSON', () => {
    expect(digestOfDocument({ b: 1, a: [] })).toBe(digestOfBytes('{"a":[],"b":1}'));
  });

  it('are taken back from their text, and nothing else is', () => {
    const digest = digestOfBytes('x');
    expect(parseDigest(digest)).toBe(digest);
    const bad = [
      `${digest}0`,
      digest.slice(0, -1),
      digest.toUpperCase(),
      `sha512:${digest.slice(7)}`,
      ` ${digest}`,
      `${digest}\n`,
      '',
      null,
      1,
    ];
    expect(bad.filter(isDigest)).toEqual([]);
    for (const value of bad)
      expect(() => parseDigest(value)).toThrow(expect.objectContaining({ code: 'DIGEST_INVALID' }));
  });
});

describe('digestOfFile', () => {
  it('is the digest of the bytes, for files of any size', async () => {
    const path = join(tempFolder(), 'file');
    for (const size of [0, 1, 1024 * 1024, 3 * 1024 * 1024 + 17]) {
      const bytes = Buffer.alloc(size, 'abc');
      writeFileSync(path, bytes);
      expect(await digestOfFile(path)).toBe(digestOfBytes(bytes));
    }
  });

  it('refuses a file over the limit', async () => {
    const path = join(tempFolder(), 'file');
    writeFileSync(path, '12345');
    await expect(digestOfFile(path, { maxBytes: 4 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE', path });
    expect(await digestOfFile(path, { maxBytes: 5 })).toBe(digestOfBytes('12345'));
  });

  it('refuses what is no regular file, without waiting for a pipe', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync('file', join(folder, 'link'));
    symlinkSync('loop', join(folder, 'loop'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [folder, join(folder, 'link'), join(folder, 'loop'), join(folder, 'pipe'), '/dev/null']) {
      await expect(digestOfFile(path)).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE', path });
    }
    expect(await digestOfFile(join(folder, 'link'), { followLinks: true })).toBe(digestOfBytes('x'));
  });

  it('says when nothing is there', async () => {
    await expect(digestOfFile(join(tempFolder(), 'no'))).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('refuses a file that a symlinked folder leads out of where it has to lie', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'box'));
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere/secret'), 'secret');
    writeFileSync(join(folder, 'box/own'), 'own');
    symlinkSync('../elsewhere', join(folder, 'box/sub'));
    symlinkSync('.', join(folder, 'box/self'));
    const within = join(folder, 'box');
    await expect(digestOfFile(join(within, 'sub/secret'), { within })).rejects.toMatchObject({ code: 'PATH_ESCAPES' });
    expect(await digestOfFile(join(within, 'self/own'), { within })).toBe(digestOfBytes('own'));
    linkSync(join(within, 'own'), join(folder, 'box2'));
    await expect(digestOfFile(join(folder, 'box2'), { within })).rejects.toMatchObject({ code: 'PATH_ESCAPES' });
  });
});
