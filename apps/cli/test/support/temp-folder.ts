import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A new folder on the real disk, by its real path, removed when the test has ended. */
export function tempFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One for all tests of a file, to be made before the first. */
export function lastingTempFolder(): string {
  const folder = makeFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-cli-')));
}
