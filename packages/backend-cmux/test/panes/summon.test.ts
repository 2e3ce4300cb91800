import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePaneFolder, type PaneFolder, typedLine } from '../../src/panes/launcher.ts';
import { type OpenedSurface, openSurface } from '../../src/panes/open-surface.ts';
import { openPaneLink, type PaneLink } from '../../src/panes/pane-link.ts';
import { summonProgram } from '../../src/panes/summon.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';

const panePath = fileURLToPath(new URL('../support/waiting-program.mjs', import.meta.url));
const program = { nodePath: process.execPath, nodeArguments: [], panePath, environment: { LANG: 'C', SECRET: 'hush' } };

let test: TestFake;
let folder: PaneFolder;
let link: PaneLink;
let surface: OpenedSurface;
beforeEach(async () => {
  test = await startTestFake();
  folder = await makePaneFolder(test.folder, program);
  link = await openPaneLink(folder.socketPath);
  surface = await openSurface(test.client(), {
    workspaceId: test.ids.workspace_id,
    besideId: test.ids.surface_id,
    direction: 'right',
    marker: folder.path,
  });
});
afterEach(async () => {
  link.close();
  await test.remove();
});

const summon = (patienceMs: readonly number[] = [5_000, 5_000]) =>
  summonProgram(test.client(), surface, { line: typedLine(folder), link, patienceMs });

describe('what is typed into a pane', () => {
  it('is one short line that runs a launcher which nobody else can read, and which holds no secret', async () => {
    expect(await summon()).toBeUndefined();
    expect((await stat(folder.launcherPath)).mode & 0o777).toBe(0o700);
    expect(typedLine(folder).length).toBeLessThan(90);
    expect(await readFile(folder.launcherPath, 'utf8')).not.toContain('hush');
  });

  it('is typed again over what a person had typed before it', async () => {
    test.fake.person.type(surface.surfaceId, 'cat ');
    expect(await summon([700, 5_000])).toBeUndefined();
  });

  it.each(['surface.send_text', 'surface.send_key'])('gets there although the reply to %s is lost', async (method) => {
    test.fake.dropNext(method);
    expect(await summon()).toBeUndefined();
  });

  it('goes nowhere once a person has closed the pane, and that is said', async () => {
    test.fake.person.close(surface.surfaceId);
    expect(await summon()).toContain('was closed');
    expect(test.fake.conduct().foreignTouched).toEqual([]);
  });
});

describe('a link', () => {
  it('hands nothing to a program that comes after it was closed', async () => {
    link.close();
    expect(await summon([300])).toContain('never ran');
  });
});
