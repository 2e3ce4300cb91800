import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder on the real disk, removed when the test has ended. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dispatch-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
