import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendLogLine, appendLogLines, type JsonValue, readLog } from '../src/index.ts';
import { runProgram } from './child-program.ts';
import { tempFolder } from './temp-folder.ts';

const schemaVersion = '1.0';
// Six programs start at once; `pnpm faults` has two hundred of them.
const SLOW_MS = 180_000;
const header = '{"schemaVersion":"1.0"}\n';

describe('appendLogLine', () => {
  it('makes the log with its header and gives every row a line of its own', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLogLine(path, { a: 1 }, { schemaVersion });
    await appendLogLine(path, ['b'], { schemaVersion });
    expect(readFileSync(path, 'utf8')).toBe(`${header}\n{"a":1}\n\n["b"]\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('appends several rows in their order, or none where one is no row', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLogLines(path, [{ a: 1 }, { b: 2 }], { schemaVersion });
    expect(readFileSync(path, 'utf8')).toBe(`${header}\n{"a":1}\n\n{"b":2}\n`);
    await expect(appendLogLines(path, [{ c: 3 }, 4], { schemaVersion })).rejects.toThrow(
      /VALUE_NOT_JSON|object or array/,
    );
    expect((await readLog(path)).rows).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it(
    "EV-1 keeps every row whole and in its writer's order when 12 writers in 6 processes append at once, below one header",
    async () => {
      const folder = tempFolder();
      const path = join(folder, 'log.jsonl');
      const writers = Array.from({ length: 12 }, (_, writer) => writer);
      const pairs = Array.from({ length: 6 }, (_, pair) => [2 * pair, 2 * pair + 1].map(String));
      const ended = await Promise.all(pairs.map((pair) => runProgram('log-appender', [path, '15', ...pair])));
      expect(ended.every(({ exitCode }) => exitCode === 0)).toBe(true);
      const { rows, torn, schemaVersion: found } = await readLog(path, { schemaVersion });
      expect([torn, found]).toEqual([[], '1.0']);
      const orders = writers.map((writer) =>
        rows.flatMap((row) => (Object(row).writer === writer ? [Object(row).row] : [])),
      );
      expect(orders).toEqual(writers.map(() => Array.from({ length: 15 }, (_, row) => row)));
      expect(readFileSync(path, 'utf8').split('"schemaVersion"')).toHaveLength(2);
      expect(readdirSync(folder)).toEqual(['log.jsonl']);
    },
    SLOW_MS,
  );

  it('makes one header when many calls of a process come first at once', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await Promise.all(Array.from({ length: 30 }, (_, row) => appendLogLine(path, { row }, { schemaVersion })));
    const log = await readLog(path);
    expect(log.rows).toHaveLength(30);
    expect(readFileSync(path, 'utf8').split('schemaVersion')).toHaveLength(2);
  });

  it('takes rows with undefined members and halves of surrogate pairs, as JSON writes them', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    const row: object = { a: undefined, tail: 'cut \ud83d' };
    await appendLogLine(path, row as JsonValue, { schemaVersion });
    expect((await readLog(path)).rows).toEqual([{ tail: 'cut \ud83d' }]);
  });

  it.each([[1], ['text'], [null], [{ a: Number.NaN }], [[undefined]]])(
    'refuses %j and appends nothing',
    async (row) => {
      const folder = tempFolder();
      const appended = appendLogLine(join(folder, 'log.jsonl'), row as JsonValue, { schemaVersion });
      await expect(appended).rejects.toMatchObject({ code: 'VALUE_NOT_JSON' });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('refuses a planted symlink, and a folder', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'target'), '');
    symlinkSync('target', join(folder, 'link'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    mkdirSync(join(folder, 'sub'));
    for (const name of ['link', 'dangling', 'sub']) {
      const appended = appendLogLine(join(folder, name), {}, { schemaVersion });
      await expect(appended).rejects.toMatchObject({ code: 'NOT_A_REGULAR_FILE' });
    }
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('');
    await expect(appendLogLine(join(folder, 'no/log'), {}, { schemaVersion })).rejects.toMatchObject({
      code: 'FOLDER_MISSING',
    });
  });
});

describe('readLog', () => {
  it('finds nothing in a missing log, an empty one, and one with a header only', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    expect(await readLog(path)).toEqual({ rows: [], torn: [], sizeBytes: 0 });
    writeFileSync(path, '');
    expect(await readLog(path)).toEqual({ rows: [], torn: [], sizeBytes: 0 });
    writeFileSync(path, header);
    expect(await readLog(path)).toEqual({ rows: [], torn: [], schemaVersion: '1.0', sizeBytes: header.length });
  });

  it('loses only the row that was cut short, wherever it was cut', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    const rows = [{ a: 'é' }, { b: [1, { c: '\n' }] }, ['z']];
    const lines = rows.map((row) => Buffer.from(`\n${JSON.stringify(row)}\n`));
    for (const [index, line] of lines.entries()) {
      for (let cut = 0; cut < line.byteLength; cut += 1) {
        const others = (keep: number) => rows.filter((_, at) => at !== index || keep === 1);
        writeFileSync(
          path,
          Buffer.concat([Buffer.from(header), ...lines.map((one, at) => (at === index ? one.subarray(0, cut) : one))]),
        );
        const log = await readLog(path);
        // Only the last byte, the newline, can be missed without loss; up to the first of the row nothing is seen.
        expect(log.rows).toEqual(others(cut === line.byteLength - 1 ? 1 : 0));
        expect(log.torn).toHaveLength(cut <= 1 || cut === line.byteLength - 1 ? 0 : 1);
      }
    }
  });

  it('says which line is torn and how long it is', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    writeFileSync(path, `${header}\n{"a":1}\n\n{"b":\n\n\u0000\u0000\u0000`);
    expect(await readLog(path)).toMatchObject({
      rows: [{ a: 1 }],
      torn: [
        { line: 4, bytes: 5 },
        { line: 6, bytes: 3 },
      ],
    });
  });

  it('goes on appending and reading after a torn last line', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLogLine(path, { a: 1 }, { schemaVersion });
    appendFileSync(path, '\n{"cut sho');
    await appendLogLine(path, { b: 2 }, { schemaVersion });
    expect(await readLog(path)).toMatchObject({ rows: [{ a: 1 }, { b: 2 }], torn: [{ bytes: 9 }] });
  });

  it('does not take half a number for a row', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    writeFileSync(path, `${header}\n12`);
    expect(await readLog(path)).toMatchObject({ rows: [], torn: [{ bytes: 2 }] });
  });

  it('begins where it is told to, and says where the next read may begin', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLogLine(path, { a: 1 }, { schemaVersion });
    const { sizeBytes } = await readLog(path);
    await appendLogLine(path, { b: 2 }, { schemaVersion });
    expect((await readLog(path, { fromByte: sizeBytes })).rows).toEqual([{ b: 2 }]);
    expect((await readLog(path, { fromByte: 0 })).rows).toEqual([{ a: 1 }, { b: 2 }]);
    expect((await readLog(path, { fromByte: 10_000 })).rows).toEqual([]);
  });

  it('refuses a log of a newer version, and only where the caller names the one it knows', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    await appendLogLine(path, { a: 1 }, { schemaVersion: '1.1' });
    await expect(readLog(path, { schemaVersion })).rejects.toMatchObject({ code: 'DOCUMENT_NEWER_VERSION', path });
    await expect(readLog(path, { schemaVersion, fromByte: 1000 })).rejects.toMatchObject({
      code: 'DOCUMENT_NEWER_VERSION',
    });
    expect(await readLog(path, { schemaVersion: '2.0' })).toMatchObject({ rows: [{ a: 1 }], schemaVersion: '1.1' });
    expect((await readLog(path)).rows).toEqual([{ a: 1 }]);
  });

  it('reads a log whose header is missing', async () => {
    const path = join(tempFolder(), 'log.jsonl');
    writeFileSync(path, '\n{"a":1}\n');
    const log = await readLog(path, { schemaVersion });
    expect(log.rows).toEqual([{ a: 1 }]);
    expect(log).not.toHaveProperty('schemaVersion');
  });

  it('gives back every row that was appended', async () => {
    const row = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        const path = join(tempFolder(), 'log.jsonl');
        for (const one of rows) await appendLogLine(path, one as JsonValue, { schemaVersion, flush: false });
        expect((await readLog(path)).rows).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
      { numRuns: 30 },
    );
  });
});
