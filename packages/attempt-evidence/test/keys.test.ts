import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSealer, readPublicKeys } from '../src/index.ts';
import { runProgram } from './support/child-program.ts';
import { codeOf } from './support/code-of.ts';
import { tempFolder } from './support/temp-folder.ts';

describe('the key pair of a folder', () => {
  it('is made on first use, the private key for its owner only, and stays', async () => {
    const keyFolder = join(await tempFolder(), 'state', 'keys');
    const first = await createSealer({ keyFolder, workerRoots: [] });
    const second = await createSealer({ keyFolder, workerRoots: [] });
    expect(second.signing).toEqual(first.signing);
    expect((await stat(join(keyFolder, 'sealing-key.pem'))).mode & 0o777).toBe(0o600);
    expect((await stat(keyFolder)).mode & 0o777).toBe(0o700);
    expect(await readPublicKeys(keyFolder)).toEqual([first.publicKey]);
  });

  it('is the same for eight processes that come first together', async () => {
    const keyFolder = join(await tempFolder(), 'keys');
    const ended = await Promise.all(Array.from({ length: 8 }, () => runProgram('key-maker', [keyFolder])));
    expect(new Set(ended.map(({ output }) => output)).size).toBe(1);
    expect((await readdir(keyFolder)).filter((name) => !name.startsWith('.'))).toHaveLength(2);
  });

  it('leaves the public keys of earlier pairs in place', async () => {
    const keyFolder = await tempFolder();
    const old = await createSealer({ keyFolder, workerRoots: [] });
    await rm(join(keyFolder, 'sealing-key.pem'));
    const next = await createSealer({ keyFolder, workerRoots: [] });
    expect(new Set(await readPublicKeys(keyFolder))).toEqual(new Set([old.publicKey, next.publicKey]));
  });

  it('has no public key where there is no folder', async () => {
    expect(await readPublicKeys(join(await tempFolder(), 'none'))).toEqual([]);
  });
});

describe('a key that a worker could have', () => {
  it('is refused where its folder lies in a folder that workers may write, before anything is made', async () => {
    const project = await tempFolder();
    const keyFolder = join(project, '.bailiwick', 'keys');
    expect(await codeOf(createSealer({ keyFolder, workerRoots: [project] }))).toBe('KEY_WITHIN_REACH');
    expect(await codeOf(createSealer({ keyFolder: project, workerRoots: [project] }))).toBe('KEY_WITHIN_REACH');
    expect(await readdir(project)).toEqual([]);
  });

  it('is refused where a symlink leads its folder there', async () => {
    const [project, elsewhere] = [await tempFolder(), await tempFolder()];
    await symlink(project, join(elsewhere, 'keys'));
    const keyFolder = join(elsewhere, 'keys', 'mine');
    expect(await codeOf(createSealer({ keyFolder, workerRoots: [project] }))).toBe('KEY_WITHIN_REACH');
  });

  it('is not refused beside a folder whose name begins alike', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'project'));
    const made = createSealer({ keyFolder: join(folder, 'project-keys'), workerRoots: [join(folder, 'project')] });
    await expect(made).resolves.toBeDefined();
  });

  it.each([
    ['the key can be read by others', 'sealing-key.pem', 0o640],
    ['its folder can be written by others', '.', 0o770],
  ])('is refused where %s', async (_, name, mode) => {
    const keyFolder = await tempFolder();
    await createSealer({ keyFolder, workerRoots: [] });
    await chmod(join(keyFolder, name), mode);
    expect(await codeOf(createSealer({ keyFolder, workerRoots: [] }))).toBe('KEY_EXPOSED');
  });
});

describe('a key file that is none', () => {
  it.each([
    ['empty', ''],
    ['text', 'no key\n'],
    [
      'a key of another kind',
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
  ])('is refused and left as it is: %s', async (_, text) => {
    const keyFolder = await tempFolder();
    const path = join(keyFolder, 'sealing-key.pem');
    await writeFile(path, text, { mode: 0o600 });
    expect(await codeOf(createSealer({ keyFolder, workerRoots: [] }))).toBe('KEY_DAMAGED');
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
