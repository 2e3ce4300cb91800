import { afterEach, expect, it } from 'vitest';
import { examineCmux, type ProbedReply, probeCmux } from '../../src/index.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';

const open: TestFake[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.remove();
});

async function probe(options: Parameters<typeof startTestFake>[0], live?: (test: TestFake) => void) {
  const test = await startTestFake(options);
  open.push(test);
  live?.(test);
  const { client, caller } = await examineCmux(test.surroundings());
  if (client === null) throw new Error('nobody answers');
  const replies = await probeCmux(client, caller);
  client.close();
  expect(test.fake.conduct()).toMatchObject({ holds: true });
  return { test, replies };
}

const textOf = (replies: readonly ProbedReply[]) => replies.map((reply) => JSON.stringify(reply));

it('two apps of a version are alike in it, whatever is open in them and in whatever order they write their keys', async () => {
  const { replies } = await probe({ version: '0.64.22', seed: 1 });
  const other = await probe({ version: '0.64.22', seed: 2, isLocalised: true }, ({ fake, ids }) => {
    fake.person.rename(ids.surface_id, 'secret plans');
    for (const key of ['a', 'b', 'c'])
      fake.app.active.selected.sidebar.status.set(key, { value: 'two\u2028lines', options: {} });
    for (const message of ['m', 'n'])
      fake.app.active.selected.sidebar.log.push({ level: 'info', source: 's', message });
  });
  expect(textOf(other.replies)).toEqual(textOf(replies));
  expect(replies.map(({ outcome }) => outcome)).toEqual(replies.map(() => 'ok'));
});

it("nothing in it is anybody's: no id, no title, no path", async () => {
  const { test, replies } = await probe({}, ({ fake, ids }) => fake.person.rename(ids.surface_id, 'secret plans'));
  const text = textOf(replies).join('\n');
  for (const own of [test.ids.workspace_id, test.ids.surface_id, test.folder, 'secret plans', 'surface:1'])
    expect(text).not.toContain(own);
});

it('an older app differs in it: that is what it is for', async () => {
  const [older, newer] = [await probe({ version: '0.64.15' }), await probe({ version: '0.64.16' })];
  const differing = newer.replies.filter((reply, at) => JSON.stringify(reply) !== JSON.stringify(older.replies[at]));
  expect(differing.map(({ method }) => method)).toEqual(['workspace.list']);
});
