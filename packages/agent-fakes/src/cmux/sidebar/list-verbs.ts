import type { CmuxApp } from '../app.ts';
import { focusedSurfaceOf, type Pane, surfacesOf } from '../model.ts';
import { listed, NO_TAB, tabOf } from './verbs.ts';

/** Lists of the older half of the protocol. */
export const listVerbs: Readonly<Record<string, (app: CmuxApp, words: readonly string[]) => string>> = {
  list_windows: (app) =>
    app.windows
      .map(({ id, selected, workspaces }, index) =>
        row(
          app.windows[index] === app.active,
          `${index}: ${id} selected_workspace=${selected.id} workspaces=${workspaces.length}`,
        ),
      )
      .join('\n'),
  list_workspaces: (app) =>
    listed(
      app.active.workspaces.map((one, index) => row(one === app.active.selected, `${index}: ${one.id} ${one.title}`)),
      'No workspaces',
    ),
  list_surfaces: (app, [handle]) => {
    const workspace = handle === undefined ? app.active.selected : tabOf(app, { tab: handle });
    if (workspace === undefined) return NO_TAB;
    return surfacesOf(workspace)
      .map((one, index) => row(one === focusedSurfaceOf(workspace), `${index}: ${one.id}`))
      .join('\n');
  },
  list_panes: (app) => {
    const { panes, focusedPane } = app.active.selected;
    return panes
      .map((pane, index) => row(pane === focusedPane, `${index}: ${pane.id} [${pane.surfaces.length} tabs]`))
      .join('\n');
  },
  list_pane_surfaces: (app, words) => {
    const pane = paneOf(app, words);
    if (pane === undefined) return 'ERROR: Pane not found';
    return pane.surfaces
      .map((one, index) => row(one === pane.selected, `${index}: ${one.title} [panel:${one.id}]`))
      .join('\n');
  },
  surface_health: (app, [handle]) => {
    const workspace = handle === undefined ? app.active.selected : tabOf(app, { tab: handle });
    if (workspace === undefined) return NO_TAB;
    const isShown = workspace === app.active.selected;
    return surfacesOf(workspace)
      .map(({ id }, index) => `${index}: ${id} type=terminal in_window=${isShown}`)
      .join('\n');
  },
  list_notifications: (app) =>
    listed(
      app.notifications.map((one, index) => {
        const { id, workspace_id, surface_id, title, subtitle, body } = one;
        return `${index}:${[id, workspace_id, surface_id, 'unread', title, subtitle, body].map(String).join('|')}`;
      }),
      'No notifications',
    ),
  current_workspace: (app) => app.active.selected.id,
  current_window: (app) => app.active.id,
};

/** `--pane=` with an id or an index; without it the pane in focus. */
export function paneOf(app: CmuxApp, words: readonly string[]): Pane | undefined {
  const { panes, focusedPane } = app.active.selected;
  const handle = words.find((word) => word.startsWith('--pane='))?.slice('--pane='.length);
  if (handle === undefined) return focusedPane;
  return /^\d+$/.test(handle) ? panes[Number(handle)] : panes.find(({ id }) => id === handle.toUpperCase());
}

function row(isSelected: boolean, text: string): string {
  return `${isSelected ? '*' : ' '} ${text}`;
}
