import { type FileHandle, open } from 'node:fs/promises';
import { type Digest, startDigest } from './digest.ts';
import { readInPieces } from './digest-file.ts';
import { DurableFileError } from './errors.ts';
import type { OpenRules } from './open-regular.ts';
import { publishStaging, refuseOddDestination } from './publish.ts';
import { discardUnfinished, stagingPathFor } from './staging.ts';
import { mapWriteError } from './system-errors.ts';
import { DEFAULT_MODE } from './write-text.ts';

/** A sparse file of a terabyte costs its maker nothing; copying it would fill the disk. */
export const DEFAULT_MAX_COPY_BYTES = 1024 * 1024 * 1024;

/** How a file is copied. */
export interface CopyOptions extends OpenRules {
  /** Default 1 GiB. */
  readonly maxBytes?: number;
  /** Permission bits of the copy, exactly. Default 0o600. */
  readonly mode?: number;
}

/**
 * Copies a regular file, atomically and durably like `writeTextFile`, replacing what is there. Digest and size are
 * of the bytes that were written, so they hold even if the source changes meanwhile. Nothing that isn't a regular
 * file is read: no symlink, no pipe.
 *
 * @throws DurableFileError FILE_MISSING (the source), FILE_TOO_LARGE, NOT_A_REGULAR_FILE (either side),
 * PATH_ESCAPES (with `within`), DISK_FULL, FOLDER_MISSING and what else `mapSystemError` knows
 */
export async function copyFileDurably(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<{ digest: Digest; size: number }> {
  const staging = stagingPathFor(to);
  try {
    refuseOddDestination(to);
    const copied = await copyToStaging({ from, staging, to }, options);
    await publishStaging(staging, to, false);
    return copied;
  } catch (error) {
    discardUnfinished(staging);
    throw mapWriteError(error, to, 'copying');
  }
}

async function copyToStaging(
  { from, staging, to }: { from: string; staging: string; to: string },
  options: CopyOptions,
): Promise<{ digest: Digest; size: number }> {
  const digest = startDigest();
  let size = 0;
  const target = await open(staging, 'wx', options.mode ?? DEFAULT_MODE);
  try {
    await readInPieces(from, { ...options, maxBytes: options.maxBytes ?? DEFAULT_MAX_COPY_BYTES }, async (chunk) => {
      await writeAll(target, chunk, to);
      digest.add(chunk);
      size += chunk.byteLength;
    });
    await target.chmod(options.mode ?? DEFAULT_MODE);
    await target.sync();
    await refuseOtherSize(target, size, to);
  } finally {
    await target.close();
  }
  return { digest: digest.end(), size };
}

async function writeAll(target: FileHandle, chunk: Buffer, path: string): Promise<void> {
  try {
    // After a short write the next one says why.
    for (let done = 0; done < chunk.byteLength; ) done += (await target.write(chunk, done)).bytesWritten;
  } catch (error) {
    throw mapWriteError(error, path, 'copying');
  }
}

async function refuseOtherSize(target: FileHandle, size: number, path: string): Promise<void> {
  const written = (await target.stat()).size;
  if (written === size) return;
  throw new DurableFileError('DISK_FULL', `only ${written} of ${size} bytes were written`, { path });
}
