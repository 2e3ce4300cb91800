import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { focusedSurfaceOf, type Workspace } from '../model.ts';
import type { Params } from '../params.ts';
import { namedPane, placeOf, windowOf, workspaceOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';

/** What goes elsewhere, and takes the focus there. */
export const navigationMethods: Methods = {
  'workspace.next': (app, params) => step(app, params, 1),
  'workspace.previous': (app, params) => step(app, params, -1),
  'workspace.last': (app, params) => {
    const { previous, workspaces } = windowOf(app, params);
    if (previous === undefined || !workspaces.includes(previous))
      throw new RpcFailure('not_found', 'No previous workspace in history');
    return go(app, previous);
  },
  'pane.focus': (app, params) => {
    const place = namedPane(app, params);
    app.focus(place, 'client');
    const { window, workspace, pane } = place;
    return idsOf({ window, workspace, pane });
  },
  'pane.last': (app, params) => {
    const { workspace } = workspaceOf(app, params);
    const other = workspace.panes.find((pane) => pane !== workspace.focusedPane);
    if (other === undefined) throw new RpcFailure('not_found', 'No alternate pane available');
    const place = placeOf(app, other.selected);
    app.focus(place, 'client');
    return idsOf(place);
  },
};

function step(app: CmuxApp, params: Params, by: 1 | -1): unknown {
  const { workspaces, selected } = windowOf(app, params);
  const at = (workspaces.indexOf(selected) + by + workspaces.length) % workspaces.length;
  return go(app, workspaces[at] ?? selected);
}

function go(app: CmuxApp, workspace: Workspace): unknown {
  const place = placeOf(app, focusedSurfaceOf(workspace));
  app.focus(place, 'client');
  return idsOf({ window: place.window, workspace });
}
