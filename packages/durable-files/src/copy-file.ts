import { closeSync, fchmodSync, fstatSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Digest, startDigest } from './digest.ts';
import { DurableFileError } from './errors.ts';
import type { OpenRules } from './open-regular.ts';
import { eachPiece, openSource, type Source, writePiece } from './pieces.ts';
import { publishStaging, refuseOddDestination } from './publish.ts';
import { discardUnfinished, stagingPathFor } from './staging.ts';
import { mapWriteError } from './system-errors.ts';
import { DEFAULT_MODE } from './write-text.ts';

const flush = promisify(fsync);

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
  // Nothing is made where there is nothing to copy.
  const source = openSource(from, { ...options, maxBytes: options.maxBytes ?? DEFAULT_MAX_COPY_BYTES });
  const staging = stagingPathFor(to);
  try {
    refuseOddDestination(to);
    const copied = await copyToStaging(source, { staging, to }, options.mode ?? DEFAULT_MODE);
    await publishStaging(staging, to, false);
    return copied;
  } catch (error) {
    discardUnfinished(staging);
    throw mapWriteError(error, to, 'copying');
  } finally {
    closeSync(source.descriptor);
  }
}

async function copyToStaging(
  source: Source,
  { staging, to }: { staging: string; to: string },
  mode: number,
): Promise<{ digest: Digest; size: number }> {
  const digest = startDigest();
  let size = 0;
  const target = openSync(staging, 'wx', mode);
  try {
    await eachPiece(source, async (piece) => {
      await writePiece(target, piece);
      digest.add(piece);
      size += piece.byteLength;
    });
    fchmodSync(target, mode);
    refuseOtherSize(fstatSync(target).size, size, to);
    await flush(target);
  } finally {
    closeSync(target);
  }
  return { digest: digest.end(), size };
}

function refuseOtherSize(written: number, size: number, path: string): void {
  if (written === size) return;
  throw new DurableFileError('DISK_FULL', `only ${written} of ${size} bytes were written`, { path });
}
