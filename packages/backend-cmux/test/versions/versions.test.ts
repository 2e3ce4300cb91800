import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usualSocketPath } from '@bailiwick/agent-fakes';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { examineCmux, type PaneDocument } from '../../src/index.ts';
import { closeSurface } from '../../src/panes/close-surface.ts';
import { makePaneFolder, typedLine } from '../../src/panes/launcher.ts';
import { type OpenedSurface, openSurface, openWorkspace } from '../../src/panes/open-surface.ts';
import { openPaneLink } from '../../src/panes/pane-link.ts';
import { summonProgram } from '../../src/panes/summon.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';
import { openPane } from '../support/pane-document.ts';

let test: TestFake;
afterEach(() => test.remove());

const start = async (version: string): Promise<TestFake> => {
  test = await startTestFake({ version });
  return test;
};

/** One for all that are alike, from the oldest that workers run in to the newest: at each of them something else differs. */
const VERSIONS = ['7', '11', '13', '16', '17', '18', '21', '22', '25'].map((patch) => `0.64.${patch}`);

const panePath = fileURLToPath(new URL('../support/waiting-program.mjs', import.meta.url));
const program = { nodePath: process.execPath, nodeArguments: [], panePath, environment: { LANG: 'C' } };

const openBeside = (marker: string) =>
  openSurface(test.client(), {
    workspaceId: test.ids.workspace_id,
    besideId: test.ids.surface_id,
    direction: 'right',
    marker,
  });

/** Under its title, as the record of it says. */
async function entitled(surface: OpenedSurface, more: Partial<PaneDocument> = {}): Promise<PaneDocument> {
  const ids = { workspace_id: surface.workspaceId, surface_id: surface.surfaceId };
  await test.client().call('tab.action', { action: 'rename', title: 'implementer', ...ids });
  return openPane({ ...surface, ...more });
}

const openOwn = () =>
  openWorkspace(test.client(), { title: 'implementer', marker: test.folder, operationId: crypto.randomUUID() });

describe.each(VERSIONS)('with %s', (version) => {
  it('a pane is opened though its reply is lost, runs what is typed, and is closed', async () => {
    const { fake, folder, surroundings } = await start(version);
    const { standing, client } = await examineCmux(surroundings());
    client?.close();
    expect([standing.kind, standing.version?.join('.')]).toEqual(['usable', version]);
    const pane = await makePaneFolder(folder, program);
    const link = await openPaneLink(pane.socketPath);
    fake.dropNext('surface.split');
    const surface = await openBeside(pane.path);
    const document = await entitled(surface);
    expect(await summonProgram(test.client(), surface, { line: typedLine(pane), link })).toBeUndefined();
    link.close();
    expect(await closeSurface(test.client(), document)).toBe('closed');
    expect(fake.conduct()).toMatchObject({ holds: true });
  });

  it('a workspace of our own is opened once and closed, whatever else replies about it say', async () => {
    const { fake } = await start(version);
    fake.dropNext('workspace.create');
    const pane = await entitled(await openOwn(), { isOwnWorkspace: true });
    expect(await closeSurface(test.client(), pane)).toBe('closed');
    expect(fake.conduct()).toMatchObject({ holds: true });
    expect(fake.app.active.workspaces).toHaveLength(1);
  });

  it('CX-2 a pane that a person has closed takes nothing else along', async () => {
    const { fake } = await start(version);
    const pane = await entitled(await openBeside(test.folder));
    fake.person.close(pane.surfaceId ?? '');
    expect(await closeSurface(test.client(), pane)).toBe('vanished');
    expect(fake.conduct().foreignTouched).toEqual([]);
    expect(fake.app.places()).toHaveLength(1);
  });

  it('CX-2 after a relaunch our pane has vanished, and what bears its name is left alone', async () => {
    const { fake, surroundings } = await start(version);
    const before = surroundings();
    const pane = await entitled(await openBeside(test.folder));
    await fake.relaunch();
    const capability = { CMUX_SOCKET_CAPABILITY: fake.environment()['CMUX_SOCKET_CAPABILITY'] };
    const { standing, client } = await examineCmux({
      ...before,
      environment: { ...before.environment, ...capability },
    });
    client?.close();
    expect(standing.kind).toBe('stale-ids');
    expect(await closeSurface(test.client(), pane)).toBe('vanished');
    expect(fake.app.places().map(({ surface }) => surface.title)).toContain('implementer');
    expect(fake.conduct().foreignTouched).toEqual([]);
  });

  it('CX-2 our workspace is left where it is the last of its window, which closing may take along', async () => {
    const { fake } = await start(version);
    const pane = await entitled(await openOwn(), { isOwnWorkspace: true });
    const { active } = fake.app;
    fake.app.closeWorkspace(active, active.selected); // a person does
    expect(await closeSurface(test.client(), pane)).toBe('left');
    expect(active.workspaces.map(({ id }) => id)).toEqual([pane.workspaceId]);
    expect(fake.app.windows).toContain(active);
  });

  it('the app is found at its usual place, once the socket that was given has gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bch-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    test = await startTestFake({ version, socketPath: usualSocketPath(folder, version) });
    const given = { ...test.fake.environment(), CMUX_SOCKET_PATH: `${folder}/gone` };
    const { standing, client } = await examineCmux({ environment: given, home: folder, uid: 1 });
    client?.close();
    expect(standing.kind).toBe('usable');
  });
});
