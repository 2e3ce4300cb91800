import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeInFolder, type TestFake } from './fake-in-folder.ts';
import type { RawClient } from './raw-client.ts';

interface Pair {
  readonly client: string;
  readonly command: string;
  readonly send?: unknown;
  readonly line?: string;
  readonly answer?: unknown;
  readonly text?: string;
}

const { pairs }: { pairs: readonly Pair[] } = JSON.parse(
  readFileSync(new URL('../fixtures/cmux/pairs.json', import.meta.url), 'utf8'),
);

/** Ids in upper case, as whole values or behind `--tab=`. */
function filled<T>(value: T, test: TestFake): T {
  const { app } = test.fake;
  const ids: Record<string, string> = { W: test.workspace, S: test.surface, N: app.active.id };
  return JSON.parse(JSON.stringify(value).replace(/(?<=["=])[WSN](?=")|(?<=--tab=)W/g, (name) => ids[name] ?? name));
}

describe.each([
  ['the newest', {}],
  ['the newest, replies in pieces', { faults: { chunkBytes: 7 } }],
  ['0.64.22', { version: '0.64.22' }],
])('%s answers what real clients send as the app does', (_, options) => {
  let test: TestFake;
  let client: RawClient;
  beforeAll(async () => {
    test = await fakeInFolder(options);
    client = test.client();
  });
  afterAll(() => test.remove());

  it.each(pairs.map((pair) => [`${pair.client}: ${pair.command}`, pair] as const))('%s', async (_name, pair) => {
    const { send, line, answer, text } = filled(pair, test);
    const reply = await client.say(line ?? JSON.stringify(send));
    if (text !== undefined) expect(reply).toBe(text);
    else expect(JSON.parse(reply ?? '')).toMatchObject(answer as object);
  });
});
