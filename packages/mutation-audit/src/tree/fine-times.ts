import { statfsSync } from 'node:fs';
import { release } from 'node:os';
import { type BytePath, forFileSystem } from '../path-name.ts';

/** Linux file systems with multigrain timestamps: ext2-4, XFS, Btrfs, tmpfs (magic numbers of statfs(2)). */
const MULTIGRAIN = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);

/**
 * Whether two changes in a row get two change times as far as a look lies between them: Linux 6.13 and later on file systems known for it.
 * Elsewhere what changed shortly before the snapshot is digested, and folders are always listed.
 */
export function hasFineTimes(folder: BytePath): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  if (process.platform !== 'linux' || major < 6 || (major === 6 && minor < 13)) return false;
  try {
    return MULTIGRAIN.has(statfsSync(forFileSystem(folder)).type >>> 0);
  } catch {
    return false;
  }
}

/** What changed within this before the walk is too young for its times where they are coarse: twice the step of FAT, the coarsest known. */
export const YOUNG_NS = 4_000_000_000;
