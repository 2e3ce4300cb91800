import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeSurface, standingOf } from '../../src/panes/close-surface.ts';
import { openSurface, openWorkspace } from '../../src/panes/open-surface.ts';
import { failure, startTestFake, type TestFake } from '../support/fake.ts';
import { openPane } from '../support/pane-document.ts';

let test: TestFake;
beforeEach(async () => {
  test = await startTestFake();
});
afterEach(() => test.remove());

const split = () => ({
  workspaceId: test.ids.workspace_id,
  besideId: test.ids.surface_id,
  direction: 'right' as const,
  marker: test.folder,
});
const countOf = (method: string): number => test.fake.requests().filter((request) => request.method === method).length;

describe('opening a pane', () => {
  it('whose reply was lost finds it again by its folder, and opens no second one', async () => {
    test.fake.dropNext('surface.split');
    const opened = await openSurface(test.client(), split());
    const client = test.fake.app.places().filter(({ surface }) => surface.madeBy === 'client');
    expect(client.map(({ surface }) => surface.id)).toEqual([opened.surfaceId]);
    expect(countOf('surface.split')).toBe(1);
  });

  it('is not mistaken for one that a person opens at the same moment', async () => {
    const theirs = test.fake.person.split(test.ids.surface_id);
    test.fake.dropNext('surface.split');
    expect((await openSurface(test.client(), split())).surfaceId).not.toBe(theirs);
  });

  it('that is never answered is not asked for again', async () => {
    const client = test.client({ requestTimeoutMs: 150 });
    await client.call('system.ping');
    test.fake.setFaults({ isHanging: true });
    expect(await failure(openSurface(client, split()))).toMatchObject({ code: 'CMUX_UNRESPONSIVE' });
    expect(countOf('surface.split')).toBe(0);
  });

  it('of a workspace of our own is asked for once, whatever is lost', async () => {
    test.fake.dropNext('workspace.create');
    const request = { title: 'team', marker: test.folder, operationId: crypto.randomUUID() };
    const opened = await openWorkspace(test.client(), request);
    const { workspaces } = test.fake.app.active;
    expect(workspaces.map(({ id }) => id)).toEqual([test.ids.workspace_id, opened.workspaceId]);
    expect(test.fake.conduct().focusTaken).toEqual([]);
  });
});

describe('CX-2 closing a pane', () => {
  const opened = async () => {
    const surface = await openSurface(test.client(), split());
    await test.client().call('tab.action', {
      action: 'rename',
      title: 'implementer',
      workspace_id: surface.workspaceId,
      surface_id: surface.surfaceId,
    });
    return openPane({ ...surface, marker: test.folder });
  };

  it('closes what bears its id and the title that it was given', async () => {
    const pane = await opened();
    expect(await closeSurface(test.client(), pane)).toBe('closed');
    expect(await closeSurface(test.client(), pane)).toBe('vanished');
    expect(test.fake.conduct()).toMatchObject({ holds: true });
  });

  it('leaves one that a person has given another name', async () => {
    const pane = await opened();
    test.fake.person.rename(pane.surfaceId ?? '', 'mine');
    expect(await closeSurface(test.client(), pane)).toBe('left');
    expect(countOf('surface.close')).toBe(0);
  });

  it('whose reply was lost is looked up', async () => {
    const pane = await opened();
    test.fake.dropNext('surface.close');
    expect(await closeSurface(test.client(), pane)).toBe('vanished');
  });

  it('after a relaunch finds nothing of it, and touches nothing that took its place', async () => {
    const pane = await opened();
    await test.fake.relaunch();
    expect(await standingOf(test.client(), pane)).toEqual({ kind: 'vanished' });
    expect(await closeSurface(test.client(), pane)).toBe('vanished');
    expect(test.fake.conduct().foreignTouched).toEqual([]);
  });

  it('finds one that was only being opened by its folder', async () => {
    const pane = await opened();
    expect(await closeSurface(test.client(), { ...pane, state: 'opening', surfaceId: null })).toBe('closed');
  });

  it('of the last one of a workspace of ours takes the workspace, and never the last of a window', async () => {
    const request = { title: 'implementer', marker: test.folder, operationId: crypto.randomUUID() };
    const surface = await openWorkspace(test.client(), request);
    await test.client().call('tab.action', {
      action: 'rename',
      title: 'implementer',
      workspace_id: surface.workspaceId,
      surface_id: surface.surfaceId,
    });
    const pane = openPane({ ...surface, isOwnWorkspace: true });
    expect(await closeSurface(test.client(), { ...pane, isOwnWorkspace: false })).toBe('left');
    expect(await closeSurface(test.client(), pane)).toBe('closed');
    expect(test.fake.app.active.workspaces).toHaveLength(1);
  });
});
