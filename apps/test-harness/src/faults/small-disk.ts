import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Subject } from '../crash/subject.ts';
import { endLeftovers } from '../crash/supervisors.ts';
import { findSupervisors } from '../project/process-table.ts';

/** A file system of its own that can be filled. */
export interface SmallDisk {
  /** The state root. */
  readonly folder: string;
  /** Fills it but for some pages. */
  fill(leftPages: number): Promise<void>;
  free(): Promise<void>;
  /** Takes the right to write away, for every user, or gives it back. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

const DISK_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4096;

/** Why no file system can be mounted here, or undefined where it can. */
export async function cannotMount(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'a small file system is mounted on Linux only';
  if (process.getuid?.() !== 0) return 'only root may mount a small file system';
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-mount-'));
  const { failed, shortMessage } = await execa('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], {
    reject: false,
  });
  if (!failed) await execa('umount', [folder]);
  await rm(folder, { recursive: true });
  return failed ? `nothing can be mounted here: ${shortMessage}` : undefined;
}

/** Puts a small file system in the place of the state root, with what lay there. */
export async function onSmallDisk(
  subject: Subject,
  use: (disk: SmallDisk) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const folder = dirname(dirname(subject.runDirectory));
  const aside = `${folder}.aside`;
  await execa('cp', ['-a', folder, aside]);
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'bailiwick-harness', folder]);
  try {
    await execa('cp', ['-a', `${aside}/.`, folder]);
    return await use(smallDisk(folder));
  } finally {
    await endLeftovers(
      subject.runId,
      (await findSupervisors(subject.project.root)).map(({ pid }) => pid),
    );
    await execa('umount', ['-l', folder], { reject: false });
    await rm(aside, { recursive: true, force: true });
  }
}

function smallDisk(folder: string): SmallDisk {
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill(leftPages) {
      await writeFile(filler, Buffer.alloc(DISK_BYTES)).catch(() => undefined); // as much of it as there is room for
      const { size } = await stat(filler);
      await truncate(filler, Math.max(0, size - leftPages * PAGE_BYTES));
    },
    free: () => rm(filler, { force: true }),
    async setReadOnly(isReadOnly) {
      await execa('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder]);
    },
  };
}
