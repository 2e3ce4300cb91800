import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Short: the sockets of some tests lie below it, and their paths may not be long. */
const PREFIX = 'bw-';
/** Some tests act as another user, who has to get through it. */
const PASSABLE = 0o711;

let folder: string | undefined;

/**
 * All that tests put into the system's folder for temporary files goes into one of their own, which is removed when the last of them has
 * ended: test files share processes, so that none of them knows when what they share isn't needed any more.
 */
export function setup(): void {
  // Of several projects in one run the first makes it.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  folder = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
  chmodSync(folder, PASSABLE);
  process.env['TMPDIR'] = folder;
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
