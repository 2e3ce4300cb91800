import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLocked, tryLock } from '@bailiwick/durable-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paneDocumentCodec } from '../../src/index.ts';
import { displayOn } from '../../src/pane/display.ts';
import { shareLock } from '../../src/pane/share-lock.ts';
import { openPane } from '../support/pane-document.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pane-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function until(isTrue: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while (!isTrue()) {
    if (performance.now() > deadlineMs) throw new Error('never');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('what a pane shows', () => {
  it('comes in order, and a terminal that takes nothing holds nobody up', async () => {
    const path = join(folder, 'terminal');
    execFileSync('mkfifo', [path]);
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const display = displayOn(writing);
    for (let at = 0; at < 100; at += 1) display.show(Buffer.alloc(10_000, `${at % 10}`));
    await until(() => !display.isWriting());
    closeSync(reading);
    display.show(Buffer.from('nobody reads this'));
    await until(() => !display.isWriting());
    closeSync(writing);
  });

  it('is all there where the terminal keeps up', async () => {
    const path = join(folder, 'file');
    const descriptor = openSync(path, 'w');
    const display = displayOn(descriptor);
    for (let at = 0; at < 50; at += 1) display.show(Buffer.from(`${at}\n`));
    await until(() => readFileSync(path, 'utf8').split('\n').length === 51);
    expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 50 }, (_, at) => `${at}\n`).join(''));
    closeSync(descriptor);
  });
});

describe("a batch's live lock", () => {
  it('is taken over by a pane that goes on when another one lets go', async () => {
    const path = join(folder, 'b.live');
    const other = tryLock(path);
    const letGo = shareLock(path);
    other?.release();
    await until(() => isLocked(path));
    letGo();
    expect(isLocked(path)).toBe(false);
  });
});

describe('a pane document', () => {
  it('is read as it was written, and refused with a field that is not known, or of another version', () => {
    const pane = openPane({ workspaceId: 'W', surfaceId: 'S' });
    expect(paneDocumentCodec.decode(paneDocumentCodec.encode(pane), 'here')).toEqual(pane);
    for (const other of [
      { ...pane, more: 1 },
      { ...pane, schemaVersion: '2.0' },
      { ...pane, state: 'lost' },
    ])
      expect(() => paneDocumentCodec.decode(other, 'here')).toThrow(/here/);
  });
});
