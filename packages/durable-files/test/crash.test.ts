import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStagingName, listFolder, readDocument, readLog, requireDocument, writeDocument } from '../src/index.ts';
import { startProgram } from './child-program.ts';
import { counterCodec } from './counter-document.ts';
import { tempFolder } from './temp-folder.ts';

// Where in 200 rewrites each child is killed: spread, and in another phase of its write every time, since the kill
// races with it.
const killsAfter = [0, 1, 2, 3, 4, 5, 7, 11, 23, 47, 120];

// Each round starts a program and waits for disk flushes.
const SLOW_MS = 120_000;

describe('a process killed while it writes', () => {
  it(
    "leaves a whole document, never older than what it said was durable, and at most staging files in nobody's way",
    async () => {
      const folder = tempFolder();
      const path = join(folder, 'c.json');
      let last = -1;
      for (const killAfter of killsAfter) {
        const writer = startProgram('document-rewriter', [path, String(last + 1), '200']);
        for (let line = 0; line <= killAfter; line += 1) last = Number(await writer.nextLine());
        writer.kill();
        const { lines } = await writer.ended;
        last = Math.max(last, ...lines.map(Number));
        const { count, note } = await requireDocument(path, counterCodec);
        expect(count).toBeGreaterThanOrEqual(last);
        expect(count).toBeLessThanOrEqual(last + 1);
        expect(note).toBe(String(count % 10).repeat((count * 7919) % 100_000));
        last = count;
      }
      expect(await listFolder(folder)).toEqual(['c.json']);
      expect(readdirSync(folder).filter((name) => !isStagingName(name))).toEqual(['c.json']);
      await writeDocument(path, counterCodec, { schemaVersion: '2.0', count: 7 });
      expect(await readDocument(path, counterCodec)).toMatchObject({ count: 7 });
    },
    SLOW_MS,
  );

  it('loses no row of a log that it had appended', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    const writer = startProgram('log-reporter', [path]);
    for (let line = 0; line < 100; line += 1) await writer.nextLine();
    writer.kill();
    const { lines } = await writer.ended;
    const { rows, torn } = await readLog(path, { schemaVersion: '1.0' });
    expect(rows.slice(0, lines.length)).toEqual(lines.map((line) => ({ row: Number(line) })));
    expect(rows.length - lines.length + torn.length).toBeLessThanOrEqual(1);
  });
});
