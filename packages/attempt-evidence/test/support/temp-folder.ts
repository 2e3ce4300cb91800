import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the running test, removed when it ends. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'attempt-evidence-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
