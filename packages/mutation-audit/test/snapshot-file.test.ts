import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFile } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { compareWithSnapshot, isMutationAuditError, MutationAuditError, takeSnapshot } from '../src/index.ts';
import { sampleRepository, tempFolder } from './support/git-tree.ts';

async function snapshotOf(root: string): Promise<string> {
  const snapshotPath = join(tempFolder('snapshot'), 'batch.snap');
  await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
  return snapshotPath;
}

describe('the snapshot file', () => {
  it('MA-1 is told with its digest, entries and size', async () => {
    const root = sampleRepository();
    const snapshotPath = join(tempFolder(), 's.snap');
    const receipt = await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
    const bytes = readFileSync(snapshotPath);
    expect(receipt).toMatchObject({ entries: 11, bytes: bytes.length, digest: await digestOfFile(snapshotPath) });
    expect(bytes.subarray(0, 12)).toEqual(Buffer.from('BWSNAP\r\n\u0001\0\0\0', 'latin1'));
  });

  it('MA-7 is missing by code', async () => {
    const snapshotPath = join(tempFolder(), 'none.snap');
    await expect(compareWithSnapshot({ snapshotPath })).rejects.toMatchObject({
      code: 'SNAPSHOT_MISSING',
      path: snapshotPath,
    });
  });

  it('MA-7 is damaged by code, wherever a byte differs or is gone', async () => {
    const snapshotPath = await snapshotOf(sampleRepository());
    const whole = readFileSync(snapshotPath);
    for (const at of [0, 20, Math.floor(whole.length / 2), whole.length - 1]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(snapshotPath, bytes);
      await expect(compareWithSnapshot({ snapshotPath })).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
    }
    for (const length of [0, 10, whole.length - 1]) {
      writeFileSync(snapshotPath, whole);
      truncateSync(snapshotPath, length);
      await expect(compareWithSnapshot({ snapshotPath })).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
    }
  });

  it('is refused by code when it is newer than this version', async () => {
    const snapshotPath = await snapshotOf(sampleRepository());
    const bytes = readFileSync(snapshotPath);
    bytes.writeUInt32LE(2, 8);
    writeFileSync(snapshotPath, bytes);
    await expect(compareWithSnapshot({ snapshotPath })).rejects.toMatchObject({ code: 'SNAPSHOT_NEWER_VERSION' });
  });

  it('is not read through a link', async () => {
    const snapshotPath = await snapshotOf(sampleRepository());
    const link = join(tempFolder(), 'link.snap');
    symlinkSync(snapshotPath, link);
    await expect(compareWithSnapshot({ snapshotPath: link })).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
  });

  it('that cannot be written is told by code', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const roots = [{ path: sampleRepository(), git: 'auto' }] as const;
    await expect(takeSnapshot({ roots, snapshotPath: join(folder, 'file/s.snap'), exclude: [] })).rejects.toMatchObject(
      {
        code: 'SNAPSHOT_WRITE_FAILED',
      },
    );
  });

  it('is not taken after an abort, and the next one works', async () => {
    const root = sampleRepository();
    const snapshotPath = join(tempFolder(), 's.snap');
    const roots = [{ path: root, git: 'auto' }] as const;
    const controller = new AbortController();
    const taking = takeSnapshot({ roots, snapshotPath, exclude: [], signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(taking).rejects.toThrow('stop');
    await takeSnapshot({ roots, snapshotPath: `${snapshotPath}.2`, exclude: [] });
  });
});

describe('errors', () => {
  it('are recognised across copies of the package', () => {
    const other = Object.assign(new Error('x'), { [Symbol.for('@bailiwick/mutation-audit/MutationAuditError')]: true });
    expect(other).toBeInstanceOf(MutationAuditError);
    expect(isMutationAuditError(other)).toBe(true);
    expect(isMutationAuditError(new Error('x'))).toBe(false);
  });
});
