import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStagingName, readDocument, writeDocument } from '../src/index.ts';
import { canRun, runProgram } from './child-program.ts';
import { counterCodec } from './counter-document.ts';
import { tempFolder } from './temp-folder.ts';

// A mount in a namespace of its own ends with its process; as another user than root, that needs user namespaces.
const unshare = [['--mount'], ['--user', '--map-root-user', '--mount']].find((flags) =>
  canRun('unshare', [...flags, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']),
);
const canTrace = canRun('strace', ['-f', '-o', '/dev/null', '-e', 'trace=none', 'true']);

/** In front of a command line: gives it a small file system of its own at the folder. */
function withSmallDisk(folder: string): string[] {
  const script = 'mount -t tmpfs -o size=512k tmpfs "$1" && shift && exec "$@"';
  return ['unshare', ...(unshare ?? []), 'sh', '-c', script, 'sh', folder];
}

/** In front of a command line: a fault in system calls. One thread for files, since strace counts by thread. */
function withFault(...faults: string[]): string[] {
  const inject = faults.flatMap((fault) => ['-e', `inject=${fault}`]);
  return ['env', 'UV_THREADPOOL_SIZE=1', 'strace', '-f', '-qq', '-o', '/dev/null', ...inject];
}

/** A folder with a document of count 1. */
async function folderWithDocument(): Promise<string> {
  const folder = tempFolder();
  await writeDocument(join(folder, 'c.json'), counterCodec, { schemaVersion: '2.0', count: 1 });
  return folder;
}

async function writeUnderFault(
  folder: string,
  ...faults: string[]
): Promise<{ code: string | undefined; count: number | undefined }> {
  const { lines } = await runProgram('one-write', [join(folder, 'c.json'), '2'], withFault(...faults));
  const document = await readDocument(join(folder, 'c.json'), counterCodec);
  return { code: lines[0], count: document?.count };
}

describe('on a full disk', () => {
  it.skipIf(unshare === undefined)(
    'every write says so, what was there is whole, and nothing is left over (needs a tmpfs mount)',
    async () => {
      const folder = tempFolder();
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      const { lines } = await runProgram('full-disk', [disk, join(folder, 'source')], withSmallDisk(disk));
      const full = {
        replace: 'DISK_FULL',
        exclusive: 'DISK_FULL',
        copy: 'DISK_FULL',
        claim: 'DISK_FULL',
        append: 'DISK_FULL',
      };
      expect(JSON.parse(lines.join(''))).toEqual({
        partly: full,
        wholly: full,
        count: 1,
        names: ['ballast', 'c.json', 'log.jsonl'],
        rows: [1, 3],
        torn: 1,
        after: ['ok', 'ok', 'ok'],
      });
    },
  );

  it.skipIf(!canTrace)('a write that came out short without any error is noticed (needs strace)', async () => {
    const folder = await folderWithDocument();
    expect(await writeUnderFault(folder, 'pwrite64:retval=10')).toEqual({ code: 'DISK_FULL', count: 1 });
    expect(readdirSync(folder)).toEqual(['c.json']);
  });
});

describe('without permission', () => {
  it('every write says so, reading tells damage all the same, and locks can be looked at', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'closed'));
    const { lines } = await runProgram('no-permission', [join(folder, 'closed')]);
    const refused = [
      'replace',
      'exclusive',
      'copy',
      'claim',
      'remove',
      'folder',
      'append',
      'lock',
      'newLock',
      'secret',
    ];
    expect(JSON.parse(lines.join(''))).toEqual({
      ...Object.fromEntries(refused.map((name) => [name, 'NO_PERMISSION'])),
      look: false,
      damaged: 'DOCUMENT_DAMAGED',
      kept: false,
    });
  });

  it.skipIf(unshare === undefined)(
    'the same holds for a read-only file system, with a code of its own (needs a tmpfs mount)',
    async () => {
      const folder = tempFolder();
      const { lines } = await runProgram('no-permission', [folder, 'read-only'], withSmallDisk(folder));
      const refused = ['replace', 'exclusive', 'copy', 'claim', 'remove', 'folder', 'append', 'lock', 'newLock'];
      expect(JSON.parse(lines.join(''))).toEqual({
        ...Object.fromEntries(refused.map((name) => [name, 'READ_ONLY'])),
        secret: 'ok',
        look: false,
        damaged: 'DOCUMENT_DAMAGED',
        kept: false,
      });
    },
  );
});

describe('without file descriptors', () => {
  it('a write says so and changes nothing', async () => {
    const folder = await folderWithDocument();
    const few = ['sh', '-c', 'ulimit -n 64 && exec "$@"', 'sh'];
    const { lines } = await runProgram('one-write', [join(folder, 'c.json'), '2', 'no-files'], few);
    expect(lines).toEqual(['TOO_MANY_FILES']);
    expect(readdirSync(folder)).toEqual(['c.json']);
    expect(await readDocument(join(folder, 'c.json'), counterCodec)).toMatchObject({ count: 1 });
  });
});

describe.skipIf(!canTrace)('with faults in system calls (needs strace)', () => {
  it('a content that can not be flushed never gets its name', async () => {
    const folder = await folderWithDocument();
    expect(await writeUnderFault(folder, 'fsync:error=EIO:when=1')).toEqual({ code: 'IO_FAILED', count: 1 });
    expect(readdirSync(folder)).toEqual(['c.json']);
  });

  it('a folder that can not be flushed fails the write, since the new name may not last', async () => {
    const folder = await folderWithDocument();
    expect(await writeUnderFault(folder, 'fsync:error=EIO:when=2')).toEqual({ code: 'IO_FAILED', count: 2 });
  });

  it('a file system that has no flush for folders is accepted', async () => {
    const folder = await folderWithDocument();
    expect(await writeUnderFault(folder, 'fsync:error=EINVAL:when=2')).toEqual({ code: 'ok', count: 2 });
  });

  it('flushes content and folder, once each', async () => {
    const folder = await folderWithDocument();
    expect(await writeUnderFault(folder, 'fsync:error=EIO:when=3+')).toEqual({ code: 'ok', count: 2 });
  });

  it.each([
    ['before its content is written', 'pwrite64:signal=KILL', 1],
    ['before its content is flushed', 'fsync:signal=KILL:when=1', 1],
    ['while it gives its files their names', 'rename:signal=KILL', undefined],
    ['before the folder is flushed', 'fsync:signal=KILL:when=2', 2],
  ])('a writer killed %s leaves a whole document', async (_, fault, count) => {
    const folder = await folderWithDocument();
    const found = await writeUnderFault(folder, fault);
    expect(found).toEqual({ code: undefined, count: count ?? found.count });
    expect(readdirSync(folder).filter((name) => !isStagingName(name))).toEqual(['c.json']);
  });

  it('without hard links, exactly one of many exclusive writers wins all the same', async () => {
    const folder = tempFolder();
    // The delay stands between a writer's look at the destination and its rename.
    const noLinks = withFault('link,linkat:error=EPERM', 'rename:delay_enter=20000');
    const writers = Array.from({ length: 3 }, (_, index) =>
      runProgram('exclusive-writer', [folder, String(index), '8'], noLinks),
    );
    const won = (await Promise.all(writers)).flatMap(({ lines }) => lines).map((line) => line.split(' '));
    expect(won).toHaveLength(8);
    expect(new Set(won.map(([name]) => name)).size).toBe(8);
    for (const [name = '', writer] of won) expect(readFileSync(join(folder, name), 'utf8')).toBe(writer);
  });
});
