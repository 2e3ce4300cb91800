import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { focusedSurfaceOf, type Place, type Workspace } from '../model.ts';
import { countOf, flagOf, type Params, textOf } from '../params.ts';
import { breakOut, moveSurface, moveWorkspace, type Slot, splitOff, swapPanes } from '../rearrange.ts';
import { findWorkspace, namedPane, namedSurface, placeOf, surfaceOf, windowOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';
import { refuseDirection } from './surfaces.ts';
import { namedWorkspace } from './workspaces.ts';

/** What moves things about. The focus goes along only where that is asked for. */
export const moveMethods: Methods = {
  'workspace.reorder': (app, params) => reorderWorkspace(app, params),
  'workspace.move_to_window': (app, params) => {
    const found = findWorkspace(app, textOf(params, 'workspace_id'));
    if (found === undefined) throw new RpcFailure('not_found', 'Workspace not found');
    const window = windowOf(app, { window_id: params['window_id'] });
    moveWorkspace(found.window, found.workspace, window);
    if (flagOf(params, 'focus') === true) app.focus(placeOf(app, focusedSurfaceOf(found.workspace)), 'client');
    return idsOf({ window, workspace: found.workspace });
  },
  'surface.move': (app, params) => {
    const place = namedSurface(app, params);
    return moved(app, params, moveSurface(app, place, targetOf(app, params, place), slotOf(params, 'surface')));
  },
  'surface.reorder': (app, params) => {
    const place = namedSurface(app, params);
    const slot = slotOf(params, 'surface');
    if (slot === undefined)
      throw new RpcFailure('invalid_params', 'Specify exactly one of index, before_surface_id, or after_surface_id');
    return moved(app, params, moveSurface(app, place, place, slot));
  },
  'surface.drag_to_split': (app, params) => ownPane(app, params),
  'surface.split_off': (app, params) => ownPane(app, params),
  'pane.swap': (app, params) => {
    const [one, other] = [namedPane(app, params), namedPane(app, params, 'target_pane_id')];
    if (one.workspace !== other.workspace)
      throw new RpcFailure('not_found', 'Target pane not found in source workspace');
    if (one.pane === other.pane) throw new RpcFailure('invalid_params', 'pane_id and target_pane_id must be different');
    swapPanes(app, one, other);
    return {
      ...idsOf({ window: one.window, workspace: one.workspace, pane: one.pane }),
      target_pane_id: other.pane.id,
    };
  },
  'pane.break': (app, params) => moved(app, params, breakOut(app, sourceOf(app, params))),
  'pane.join': (app, params) => {
    const target = namedPane(app, params, 'target_pane_id');
    return moved(app, params, moveSurface(app, sourceOf(app, params), target));
  },
};

function ownPane(app: CmuxApp, params: Params): unknown {
  const place = namedSurface(app, params);
  refuseDirection(params);
  return moved(app, params, splitOff(app, place));
}

function moved(app: CmuxApp, params: Params, place: Place): unknown {
  if (flagOf(params, 'focus') === true) app.focus(place, 'client');
  return idsOf(place);
}

/** A surface by its id, else what is selected in a pane, else what is in focus. */
function sourceOf(app: CmuxApp, params: Params): Place {
  if (params['surface_id'] !== undefined) return namedSurface(app, params);
  return params['pane_id'] === undefined ? surfaceOf(app, params) : namedPane(app, params);
}

/** Where a surface is moved to: beside another one, to a pane, to a workspace, to a window; else where it is. */
function targetOf(app: CmuxApp, params: Params, place: Place): Place {
  const anchor = textOf(params, 'before_surface_id', 'after_surface_id');
  if (anchor !== undefined) return namedSurface(app, { surface_id: anchor });
  if (params['pane_id'] !== undefined) return namedPane(app, params);
  const { workspace_id, window_id } = params;
  return workspace_id === undefined && window_id === undefined ? place : surfaceOf(app, { workspace_id, window_id });
}

function slotOf(params: Params, kind: 'surface' | 'workspace'): Slot {
  const before = textOf(params, `before_${kind}_id`);
  const after = textOf(params, `after_${kind}_id`);
  const index = countOf(params, 'index');
  if (before !== undefined) return { before };
  if (after !== undefined) return { after };
  return index === undefined ? undefined : { index };
}

function reorderWorkspace(app: CmuxApp, params: Params): unknown {
  const { window, workspace } = namedWorkspace(app, params);
  const slot = slotOf(params, 'workspace');
  if (slot === undefined)
    throw new RpcFailure(
      'invalid_params',
      'Specify exactly one target: index, before_workspace_id, or after_workspace_id',
    );
  moveWorkspace(window, workspace, window, 'index' in slot ? slot.index : indexBeside(app, workspace, slot));
  return { ...idsOf({ window, workspace }), index: window.workspaces.indexOf(workspace) };
}

/** Among the others: the one that moves has left its place by then. */
function indexBeside(
  app: CmuxApp,
  moving: Workspace,
  slot: { readonly before: string } | { readonly after: string },
): number {
  const found = findWorkspace(app, 'before' in slot ? slot.before : slot.after);
  if (found === undefined) throw new RpcFailure('not_found', 'Workspace not found');
  const others = found.window.workspaces.filter((one) => one !== moving);
  return others.indexOf(found.workspace) + ('before' in slot ? 0 : 1);
}
