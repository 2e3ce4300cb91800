import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeInFolder, type TestFake, until } from './fake-in-folder.ts';
import type { RawClient } from './raw-client.ts';

let test: TestFake;
let raw: RawClient;
beforeEach(async () => {
  test = await fakeInFolder();
  raw = test.client();
});
afterEach(() => test.remove());

async function split(): Promise<{ workspace_id: string; surface_id: string }> {
  const { workspace: workspace_id, surface: surface_id } = test;
  const { result } = await raw.call('surface.split', { workspace_id, surface_id, direction: 'right', focus: false });
  return { workspace_id, surface_id: result.surface_id };
}

describe('the conduct of a client', () => {
  it('holds for one that names what it means, leaves the focus alone and closes what it opened', async () => {
    const ids = await split();
    await raw.call('surface.send_text', { ...ids, text: 'true' });
    await raw.call('tab.action', { ...ids, action: 'rename', title: 'worker' });
    await raw.call('surface.close', ids);
    expect(test.fake.conduct()).toMatchObject({ holds: true, connections: 1, requests: 4 });
  });

  it.each([
    ['leaves something open', (): Promise<unknown> => split(), 'leftOpen'],
    ['names nothing', () => raw.call('surface.send_text', { text: 'x' }), 'implicitTargets'],
    [
      "touches what isn't its own",
      () => raw.call('surface.close', { workspace_id: test.workspace, surface_id: test.surface }),
      'foreignTouched',
    ],
    ['takes the focus', () => raw.call('workspace.select', { workspace_id: test.workspace }), 'focusTaken'],
    [
      "doesn't say that the focus stays",
      () => raw.call('workspace.create', { window_id: test.fake.app.active.id }),
      'focusTaken',
    ],
    [
      'makes up an id',
      () => raw.call('surface.list', { workspace_id: '11111111-1111-4111-8111-111111111111' }),
      'unknownIds',
    ],
  ] as const)('does not hold for one that %s', async (_, act, field) => {
    await act();
    const conduct = test.fake.conduct();
    expect(conduct.holds).toBe(false);
    expect(conduct[field]).not.toEqual([]);
  });
});

describe('a surface', () => {
  it('is a real terminal with the environment of the app, and goes when its shell does', async () => {
    const ids = await split();
    const said = async (): Promise<string> => String((await raw.call('surface.read_text', ids)).result?.text);
    expect((await raw.call('surface.read_text', ids)).error?.message).toBe('Failed to read terminal text');
    await raw.call('surface.send_text', { ...ids, text: 'test -t 0 && echo "on a terminal $CMUX_SURFACE_ID"' });
    await raw.call('surface.send_key', { ...ids, key: 'enter' });
    await until('its answer', async () => (await said()).includes(`\non a terminal ${ids.surface_id}`));
    await raw.call('surface.send_text', { ...ids, text: 'exit\n' });
    await until('its end', async () => (await raw.call('surface.read_text', ids)).error?.code === 'invalid_params');
    expect((await raw.call('surface.list', { workspace_id: ids.workspace_id })).result.surfaces).toHaveLength(1);
  });

  it('may be renamed, moved, typed into, looked at and closed by a person', async () => {
    const ids = await split();
    const { person, app } = test.fake;
    person.rename(ids.surface_id, 'mine now');
    person.look(ids.surface_id);
    person.type(ids.surface_id, 'echo from a person\r');
    await until('what was typed', async () =>
      String((await raw.call('surface.read_text', ids)).result?.text).includes('\nfrom a person'),
    );
    person.move(ids.surface_id);
    expect(app.active.selected.panes).toHaveLength(1);
    person.close(ids.surface_id);
    expect((await raw.call('surface.close', ids)).error).toMatchObject({ code: 'not_found' });
    expect(test.fake.conduct().focusTaken).toEqual([]);
  });

  it('the last one of a workspace is not closed', async () => {
    const ids = { workspace_id: test.workspace, surface_id: test.surface };
    expect((await raw.call('surface.close', ids)).error).toMatchObject({ code: 'invalid_state' });
  });
});

describe('events', () => {
  it('are acknowledged, replayed and pushed on a connection of their own', async () => {
    const ids = await split();
    const events = test.client();
    const ack = JSON.parse((await events.say('{"id":1,"method":"events.stream","params":{"after_seq":0}}')) ?? '');
    expect(ack).toMatchObject({ type: 'ack', protocol: 'cmux-events', resume: { gap: false } });
    expect(JSON.parse((await events.line()) ?? '')).toMatchObject({ type: 'event', name: 'surface.created' });
    await raw.call('surface.close', ids);
    expect(JSON.parse((await events.line()) ?? '')).toMatchObject({
      name: 'surface.closed',
      surface_id: ids.surface_id,
    });
  });
});
