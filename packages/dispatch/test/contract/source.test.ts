import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { sourceDigestOf } from '../../src/index.ts';
import { sampleManifest } from '../support/sample-manifest.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What another process sees of a lock; this one's own view would tell nothing. */
function seenFromElsewhere(path: string): string {
  const look =
    "const { DatabaseSync } = require('node:sqlite');" +
    'try { new DatabaseSync(process.argv[1], { readOnly: true, timeout: 0 }).exec("SELECT 1 FROM sqlite_schema");' +
    "console.log('free') } catch { console.log('held') }";
  return execFileSync(process.execPath, ['--no-warnings', '-e', look, path], { encoding: 'utf8' }).trim();
}

describe('the digest of a run’s source', () => {
  it('ST-8 opens nothing of the run’s state below the git folder: locks that this process holds stay held', async () => {
    const root = tempFolder();
    execFileSync('git', ['init', '--quiet', root]);
    await writeFile(join(root, 'cart.js'), 'one\n');
    const manifest = sampleManifest(root, join(root, '.git', 'bailiwick'));
    const locks = join(manifest.runDirectoryPath, 'locks');
    await mkdir(locks, { recursive: true });
    const lock = tryLock(join(locks, 'b-1.launch'));
    const digest = await sourceDigestOf(manifest);
    expect(seenFromElsewhere(join(locks, 'b-1.launch'))).toBe('held');
    lock?.release();
    await writeFile(join(manifest.runDirectoryPath, 'lead-events.jsonl'), 'more\n');
    expect(await sourceDigestOf(manifest)).toBe(digest);
  });
});
