import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defineDocument,
  digestOfBytes,
  digestOfFile,
  type JsonValue,
  readDocument,
  requireDocument,
  type StandardSchemaV1,
  writeDocument,
} from '../src/index.ts';
import { type Counter, counterCodec, counterSchema } from './counter-document.ts';
import { tempFolder } from './temp-folder.ts';

const counter = (count: number): Counter => ({ schemaVersion: '2.0', count });

describe('writeDocument and readDocument', () => {
  it('give back what was written, as indented JSON with a trailing newline', async () => {
    const path = join(tempFolder(), 'c.json');
    const digest = await writeDocument(path, counterCodec, counter(3));
    expect(readFileSync(path, 'utf8')).toBe('{\n  "schemaVersion": "2.0",\n  "count": 3\n}\n');
    expect(await readDocument(path, counterCodec)).toEqual(counter(3));
    expect(await digestOfFile(path)).toBe(digest);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('tell a missing document from every other state', async () => {
    const path = join(tempFolder(), 'c.json');
    expect(await readDocument(path, counterCodec)).toBeUndefined();
    await expect(requireDocument(path, counterCodec)).rejects.toMatchObject({ code: 'DOCUMENT_MISSING', path });
    await writeDocument(path, counterCodec, counter(1), { exclusive: true });
    expect(await requireDocument(path, counterCodec)).toEqual(counter(1));
    await expect(writeDocument(path, counterCodec, counter(2), { exclusive: true })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    });
  });

  it.each([
    ['is torn', '{"schemaVersion":"2.0","cou', ''],
    ['is empty', '', ''],
    ['is zeros', '\u0000\u0000\u0000', ''],
    ['is no object', '[]', ''],
    ['has no version', '{"count":1}', '/schemaVersion'],
    ['has a version that is none', '{"schemaVersion":"two","count":1}', '/schemaVersion'],
    ['has its version as a number', '{"schemaVersion":2,"count":1}', '/schemaVersion'],
    ['has a version that is no longer read', '{"schemaVersion":"0.9","count":1}', '/schemaVersion'],
    ['has an unknown field', '{"schemaVersion":"2.0","count":1,"x":1}', '/x'],
    ['breaks a rule of its check', '{"schemaVersion":"2.0","count":-1}', '/count'],
  ])('keep the bytes of a document aside that %s', async (_, text, pointer) => {
    const path = join(tempFolder(), 'c.json');
    writeFileSync(path, text);
    const keptAt = `${path}.damaged-${digestOfBytes(text).slice(7, 15)}`;
    const wanted = { code: 'DOCUMENT_DAMAGED', path, keptAt, issues: [{ path: pointer }] };
    await expect(readDocument(path, counterCodec)).rejects.toMatchObject(wanted);
    await expect(requireDocument(path, counterCodec)).rejects.toMatchObject(wanted);
    expect(readFileSync(keptAt, 'utf8')).toBe(text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('keep the bytes aside that are not UTF-8', async () => {
    const path = join(tempFolder(), 'c.json');
    writeFileSync(path, Buffer.from([0xff, 0xfe]));
    const error = await readDocument(path, counterCodec).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FILE_NOT_UTF8', keptAt: expect.stringContaining('.damaged-') });
  });

  it('keep nothing aside of a file that a person edits', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'config.json'), '{');
    const error = await readDocument(join(folder, 'config.json'), counterCodec, { keepDamaged: false }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'DOCUMENT_DAMAGED' });
    expect(error).not.toHaveProperty('keptAt');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it.each(['2.1', '3', '10.0'])('refuse the newer version %s and keep nothing aside', async (version) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ schemaVersion: version, anything: [] }));
    await expect(readDocument(join(folder, 'c.json'), counterCodec)).rejects.toMatchObject({
      code: 'DOCUMENT_NEWER_VERSION',
    });
    expect(readdirSync(folder)).toEqual(['c.json']);
  });

  it('refuse a document that is a symlink, or too large', async () => {
    const folder = tempFolder();
    await writeDocument(join(folder, 'c.json'), counterCodec, counter(1));
    symlinkSync('c.json', join(folder, 'link.json'));
    await expect(readDocument(join(folder, 'link.json'), counterCodec)).rejects.toMatchObject({
      code: 'NOT_A_REGULAR_FILE',
    });
    await expect(readDocument(join(folder, 'c.json'), counterCodec, { maxBytes: 9 })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('let an error that another codec throws pass through', async () => {
    const path = join(tempFolder(), 'c.json');
    writeFileSync(path, '{}');
    const own = new RangeError('own');
    const codec = {
      ...counterCodec,
      decode: () => {
        throw own;
      },
    };
    await expect(readDocument(path, codec)).rejects.toBe(own);
  });
});

describe('defineDocument', () => {
  it('upgrades an older version step by step', () => {
    expect(counterCodec.decode({ schemaVersion: '1.5', count: 4 }, 'here')).toEqual(counter(4));
    expect(counterCodec.decode({ schemaVersion: 1, count: 5 }, 'here')).toEqual(counter(5));
  });

  it('stops at upgrades that lead nowhere', () => {
    const stuck = defineDocument({
      name: 'x',
      version: '2.0',
      schema: counterSchema,
      upgrade: { '1.0': (old) => old },
    });
    expect(() => stuck.decode({ schemaVersion: '1.0' }, 'here')).toThrow(TypeError);
  });

  it('stores nothing that it would not read again', async () => {
    const folder = tempFolder();
    const write = (value: unknown) => writeDocument(join(folder, 'c.json'), counterCodec, value as Counter);
    const bad = [
      { count: -1 },
      { count: 1.5 },
      { count: 1, x: 1 },
      { schemaVersion: '1.0', count: 1 },
      { count: 1, note: new Date(0) },
      null,
    ];
    for (const value of bad) await expect(write(value)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('adds the version where the value has none, first, and leaves undefined members out', () => {
    const encoded = counterCodec.encode({ count: 1, note: undefined } as unknown as Counter);
    expect(JSON.stringify(encoded)).toBe('{"schemaVersion":"2.0","count":1}');
  });

  it('takes another version field', () => {
    const schema: StandardSchemaV1<unknown, JsonValue> = {
      '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as JsonValue }) },
    };
    const codec = defineDocument<JsonValue>({ name: 'x', version: '1', versionField: 'v', schema });
    expect(codec.decode({ v: '1', a: [] }, 'here')).toEqual({ v: '1', a: [] });
    expect(() => codec.decode({ schemaVersion: '1' }, 'here')).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_INVALID' }),
    );
  });

  it('refuses a schema that validates asynchronously', () => {
    const schema: StandardSchemaV1<unknown, number> = {
      '~standard': { version: 1, vendor: 'test', validate: async () => ({ value: 1 }) },
    };
    const codec = defineDocument({ name: 'x', version: '1.0', schema });
    expect(() => codec.decode({ schemaVersion: '1.0' }, 'here')).toThrow(TypeError);
  });

  it('decodes all that it encodes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.string({ unit: 'binary' }), { nil: undefined }), (count, note) => {
        const value: Counter = { ...counter(count), ...(note === undefined ? {} : { note }) };
        expect(counterCodec.decode(JSON.parse(JSON.stringify(counterCodec.encode(value))), 'here')).toEqual(value);
      }),
    );
  });
});
