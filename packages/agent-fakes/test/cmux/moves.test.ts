import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeInFolder, type TestFake } from './fake-in-folder.ts';

let test: TestFake;
beforeEach(async () => {
  test = await fakeInFolder();
});
afterEach(() => test.remove());

it.each([
  ['A', { before_workspace_id: 'C' }, 'BAC'],
  ['A', { after_workspace_id: 'B' }, 'BAC'],
  ['A', { after_workspace_id: 'C' }, 'BCA'],
  ['C', { before_workspace_id: 'A' }, 'CAB'],
  ['C', { after_workspace_id: 'A' }, 'ACB'],
  ['B', { index: 2 }, 'ACB'],
] as const)('workspace.reorder puts %s %j: %s', async (moved, target, order) => {
  const raw = test.client();
  const { workspaces } = (await raw.call('workspace.list')).result;
  const ids: Record<string, string> = { A: workspaces[0].id };
  for (const title of ['B', 'C'])
    ids[title] = (await raw.call('workspace.create', { title, focus: false })).result.workspace_id;
  const params = Object.fromEntries(Object.entries(target).map(([name, value]) => [name, ids[value] ?? value]));
  await raw.call('workspace.reorder', { workspace_id: ids[moved], ...params });
  const rows: readonly { readonly id: string }[] = (await raw.call('workspace.list')).result.workspaces;
  const names = rows.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
  expect(names.join('')).toBe(order);
});

it('surface.reorder beside itself is refused, and the surface stays where it was', async () => {
  const raw = test.client();
  const [surface] = (await raw.call('surface.list')).result.surfaces;
  const { error } = await raw.call('surface.reorder', { surface_id: surface.id, before_surface_id: surface.id });
  expect(error).toMatchObject({ code: 'invalid_params' });
  expect((await raw.call('surface.list')).result.surfaces).toEqual([surface]);
});
