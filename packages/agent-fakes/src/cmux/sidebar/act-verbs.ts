import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { bytesOfKey } from '../keys.ts';
import { focusedSurfaceOf, type Place, type Window, type Workspace } from '../model.ts';
import { findPlace, findWorkspace, placeOf } from '../routing.ts';
import { paneOf } from './list-verbs.ts';
import { notifyVerbs } from './notify-verbs.ts';
import { tabOf } from './verbs.ts';

type ActVerb = (app: CmuxApp, words: readonly string[], rest: string) => string;

/** The verbs that do something to the selected workspace, or to what they name. Those that select take the focus. */
export const actVerbs: Readonly<Record<string, ActVerb>> = {
  ...notifyVerbs,
  new_workspace: (app, _, rest) =>
    `OK ${app.createWorkspace(app.active, { by: 'client', title: rest.trim() === '' ? null : rest.trim() }).id}`,
  select_workspace: (app, [handle = '']) => {
    const workspace = tabOf(app, { tab: handle });
    return workspace === undefined ? 'ERROR: Tab not found' : focus(app, placeOf(app, focusedSurfaceOf(workspace)));
  },
  close_workspace: (app, [handle]) => {
    const { window, workspace } = workspaceCalled(app, handle);
    app.closeWorkspace(window, workspace);
    return 'OK';
  },
  new_window: (app) => {
    const window = app.createWindow();
    app.active = window;
    app.focusChanges.push({ by: 'client', what: window.ref });
    return `OK ${window.id}`;
  },
  focus_window: (app, [handle]) => {
    const window = app.windows.find(({ id }) => id === handle?.toUpperCase());
    return window === undefined
      ? 'ERROR: Window not found'
      : focus(app, placeOf(app, focusedSurfaceOf(window.selected)));
  },
  new_split: (app, [, handle]) => `OK ${app.split(surfaceCalled(app, handle), { by: 'client' }).surface.id}`,
  new_pane: (app) => `OK ${app.split(surfaceCalled(app, undefined), { by: 'client' }).surface.id}`,
  new_surface: (app, words) => {
    const pane = paneOf(app, words);
    if (pane === undefined) return 'ERROR: Pane not found';
    return `OK ${app.addTab(placeOf(app, pane.selected), { by: 'client' }).surface.id}`;
  },
  close_surface: (app, [handle]) => {
    app.closeSurface(surfaceCalled(app, handle));
    return 'OK';
  },
  focus_surface: (app, [handle]) => focus(app, surfaceCalled(app, handle)),
  focus_surface_by_panel: (app, [handle]) => focus(app, surfaceCalled(app, handle)),
  focus_pane: (app, [handle]) => {
    const pane = paneOf(app, [`--pane=${handle ?? ''}`]);
    return pane === undefined ? 'ERROR: Pane not found' : focus(app, placeOf(app, pane.selected));
  },
  refresh_surfaces: (app) => `OK Refreshed ${app.places().length} surfaces`,
  send: (app, _, rest) => typed(app, surfaceCalled(app, undefined), rest),
  send_surface: (app, [handle, ...text]) => typed(app, surfaceCalled(app, handle), text.join(' ')),
  send_key: (app, [key = '']) => typed(app, surfaceCalled(app, undefined), bytesOfKey(key)),
  send_key_surface: (app, [handle, key = '']) => typed(app, surfaceCalled(app, handle), bytesOfKey(key)),
  read_screen: (app, words) => {
    const { surface } = surfaceCalled(
      app,
      words.find((word) => !word.startsWith('--')),
    );
    return app.terminals.screenOf(surface).read();
  },
};

function focus(app: CmuxApp, place: Place): string {
  app.focus(place, 'client');
  return 'OK';
}

function workspaceCalled(app: CmuxApp, handle = ''): { readonly window: Window; readonly workspace: Workspace } {
  const workspace = tabOf(app, { tab: handle });
  const found = findWorkspace(app, workspace?.id);
  if (found === undefined) throw new RpcFailure('not_found', 'Tab not found');
  return found;
}

function surfaceCalled(app: CmuxApp, handle: string | undefined): Place {
  if (handle === undefined) return placeOf(app, focusedSurfaceOf(app.active.selected));
  const byIndex = /^\d+$/.test(handle)
    ? app.places().filter(({ workspace }) => workspace === app.active.selected)[Number(handle)]
    : undefined;
  const place = byIndex ?? findPlace(app, handle);
  if (place === undefined) throw new RpcFailure('not_found', 'Surface not found');
  return place;
}

function typed(app: CmuxApp, place: Place, text: string | undefined): string {
  if (text === undefined) return 'ERROR: Unknown key';
  app.terminals.write(place.surface, text.replaceAll('\\n', '\r').replaceAll('\\r', '\r').replaceAll('\\t', '\t'));
  return 'OK';
}
