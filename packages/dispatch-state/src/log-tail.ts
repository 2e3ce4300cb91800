import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * The last `maxBytes` of a log as text; a character cut in two shows as U+FFFD. '' where there is no log that can be read: a symlink or
 * pipe that somebody put in its place is neither followed nor waited for.
 */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  const file = await openLog(path);
  if (file === undefined) return '';
  try {
    return await tailOf(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function openLog(path: string): Promise<FileHandle | undefined> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
}

async function tailOf(file: FileHandle, maxBytes: number): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) return '';
  const length = Math.min(stats.size, maxBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, stats.size - length);
  return buffer.toString('utf8', 0, bytesRead);
}
