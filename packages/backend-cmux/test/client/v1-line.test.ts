import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenAddress, parseAddress, v1Line } from '../../src/index.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';

let test: TestFake;
beforeAll(async () => {
  test = await startTestFake();
});
afterAll(() => test.remove());

it('a text of any kind arrives in the sidebar as it is, but for control characters', async () => {
  const one = test.client();
  const tab = test.ids.workspace_id;
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (text) => {
      await one.say(v1Line('set_status', ['k', text], { tab }));
      const listed = await one.say(v1Line('list_status', [], { tab }));
      expect(listed.slice(2).trim()).toBe(text.replace(/\p{Cc}+/gu, ' ').trim());
    }),
    { numRuns: 200 },
  );
});

it('an address is a path or a port of this machine; empty variables count as none', () => {
  expect(parseAddress('127.0.0.1:4711')).toEqual({ kind: 'relay', host: '127.0.0.1', port: 4711 });
  expect(parseAddress('/tmp/a:1')).toEqual({ kind: 'unix', path: '/tmp/a:1' });
  const at = (environment: Record<string, string>, explicit?: string) =>
    givenAddress({ environment, home: '/', uid: 1, ...(explicit === undefined ? {} : { explicit }) });
  expect(at({ CMUX_SOCKET: '' })).toBeUndefined();
  expect(at({ CMUX_SOCKET: '/old' })).toEqual({ kind: 'unix', path: '/old' });
  expect(at({ CMUX_SOCKET: '/old', CMUX_SOCKET_PATH: '/new' })).toEqual({ kind: 'unix', path: '/new' });
  expect(at({ CMUX_SOCKET_PATH: '/new' }, '/mine')).toEqual({ kind: 'unix', path: '/mine' });
});
