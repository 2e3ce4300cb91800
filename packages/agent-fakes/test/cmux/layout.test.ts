import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeInFolder, type TestFake, until } from './fake-in-folder.ts';
import type { RawClient } from './raw-client.ts';

let test: TestFake;
let raw: RawClient;
beforeEach(async () => {
  test = await fakeInFolder();
  raw = test.client();
});
afterEach(() => test.remove());

const pane = (...surfaces: readonly object[]) => ({ pane: { surfaces } });
const create = (layout: unknown) => raw.call('workspace.create', { title: 't', cwd: '/', focus: false, layout });

it('one request makes a workspace of several panes, and types what is to run in each', async () => {
  const split = (...children: readonly object[]) => ({ direction: 'horizontal', split: 0.5, children });
  const { result } = await create(
    split(
      pane({ type: 'terminal', name: 'one', command: 'echo in $PWD $A', cwd: 'tmp', env: { A: 'b' } }),
      split(pane({ type: 'terminal' }), pane({ name: 'two' }, { name: 'three' })),
    ),
  );
  const { workspace_id, surface_id } = result;
  const rows = (await raw.call('surface.list', { workspace_id })).result.surfaces;
  expect(rows.map((row: Record<string, string>) => [row['title'], row['pane_ref']])).toEqual([
    ['one', 'pane:2'],
    ['Terminal', 'pane:3'],
    ['two', 'pane:4'],
    ['three', 'pane:4'],
  ]);
  expect(rows[0]).toMatchObject({ id: surface_id, requested_working_directory: '/tmp' });
  await until('its command', async () =>
    String((await raw.call('surface.read_text', { workspace_id, surface_id })).result?.text).includes('\nin /tmp b'),
  );
});

it.each([['a text'], [[]], [{ children: [pane({})] }], [{ pane: { surfaces: [] } }]])(
  'a layout that is none is refused, and no workspace is made: %j',
  async (layout) => {
    expect((await create(layout)).error).toMatchObject({
      code: 'invalid_params',
      message: expect.stringMatching(/layout/i),
    });
    expect(test.fake.app.active.workspaces).toHaveLength(1);
  },
);
