import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder on the real disk, by its real path, removed when the test has ended. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-cli-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
