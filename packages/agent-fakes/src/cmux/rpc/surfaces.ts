import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import type { Place } from '../model.ts';
import { directoryOf, flagOf, type Params, textOf, textsOf } from '../params.ts';
import { endedSurfaceOf, findPlace, surfaceHandle, surfaceOf, workspaceOf } from '../routing.ts';
import { idsOf, paneRows, surfaceRows, whereabouts } from '../rows.ts';
import type { Methods } from './method.ts';

export const surfaceMethods: Methods = {
  'surface.list': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    return { ...idsOf({ window, workspace }), surfaces: surfaceRows(workspace) };
  },
  'surface.current': (app, params) => idsOf(surfaceOf(app, params)),
  'surface.health': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    const isShown = window.selected === workspace;
    const surfaces = surfaceRows(workspace).map(({ index, id, ref, type }) => ({
      index,
      id,
      ref,
      type,
      in_window: isShown,
    }));
    return { ...idsOf({ window, workspace }), surfaces };
  },
  'surface.split': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    refuseDirection(params);
    const place = surfaceOf(app, { ...params, workspace_id: workspace.id, window_id: window.id });
    return opened(app, params, app.split(place, creationOf(app, params)));
  },
  'surface.create': (app, params) => opened(app, params, app.addTab(paneOf(app, params), creationOf(app, params))),
  'surface.close': (app, params) => {
    const place = endedSurfaceOf(app, params);
    app.closeSurface(place);
    return idsOf(place);
  },
  'surface.focus': (app, params) => {
    const place = surfaceOf(app, params);
    app.focus(place, 'client');
    return idsOf(place);
  },
  'pane.list': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    return {
      ...idsOf({ window, workspace }),
      panes: paneRows(workspace),
      container_frame: { x: 0, y: 0, width: 1920, height: 1080 },
    };
  },
  'pane.surfaces': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    const pane = textOf(params, 'pane_id');
    const rows = surfaceRows(workspace).filter((row) => pane === undefined || row['pane_id'] === pane.toUpperCase());
    const surfaces = rows.map(({ id, ref, index, title, type, selected_in_pane: selected }) => ({
      id,
      ref,
      index,
      title,
      type,
      selected,
    }));
    return { ...idsOf({ window, workspace }), surfaces };
  },
  'pane.create': (app, params) => {
    refuseDirection(params);
    return opened(app, params, app.split(surfaceOf(app, params), creationOf(app, params)));
  },
  'tab.action': (app, params) => act(app, params),
  'surface.action': (app, params) => act(app, params),
};

const DIRECTIONS = ['left', 'right', 'up', 'down', 'l', 'r', 'u', 'd'];

export function refuseDirection(params: Params): void {
  if (!DIRECTIONS.includes(textOf(params, 'direction') ?? ''))
    throw new RpcFailure('invalid_params', 'Missing or invalid direction (left|right|up|down)');
  const divider = params['initial_divider_position'];
  if (divider !== undefined && !(Number(divider) >= 0.1 && Number(divider) <= 0.9))
    throw new RpcFailure('invalid_params', 'initial_divider_position must be between 0.1 and 0.9');
}

function creationOf(app: CmuxApp, params: Params) {
  if (!app.version.splitIsNeutral) return { by: 'client' } as const;
  const input = app.version.hasInputState ? textOf(params, 'initial_input') : undefined;
  return {
    by: 'client',
    directory: directoryOf(params, app.terminals.home),
    command: textOf(params, 'initial_command') ?? null,
    environment: textsOf(params, 'startup_environment', 'initial_env'),
    ...(input === undefined ? {} : { input }),
  } as const;
}

function opened(app: CmuxApp, params: Params, place: Place): unknown {
  const focus = flagOf(params, 'focus') ?? !app.version.splitIsNeutral;
  if (focus) app.focus(place, 'client');
  return { ...idsOf(place), type: 'terminal' };
}

function paneOf(app: CmuxApp, params: Params): Place {
  const { workspace } = workspaceOf(app, params);
  const handle = textOf(params, 'pane_id');
  const pane = workspace.panes.find((one) => one.id === handle?.toUpperCase() || one.ref === handle);
  const selected = (pane ?? workspace.focusedPane).selected;
  const place = app.placeOf(selected);
  if (place === undefined) throw new RpcFailure('not_found', 'Pane not found');
  return place;
}

function act(app: CmuxApp, params: Params): unknown {
  const action = textOf(params, 'action');
  if (action === undefined) throw new RpcFailure('invalid_params', 'Missing action');
  const handle = surfaceHandle(params);
  const { workspace } = workspaceOf(app, params);
  const place = handle === undefined ? surfaceOf(app, params) : findPlace(app, handle);
  if (place?.workspace !== workspace) throw new RpcFailure('not_found', 'Surface not found', { surface_id: handle });
  if (action === 'rename') {
    const title = textOf(params, 'title');
    if (title === undefined) throw new RpcFailure('invalid_params', 'Missing title');
    Object.assign(place.surface, { title, hasCustomTitle: true });
  } else if (action === 'clear_name') Object.assign(place.surface, { title: 'Terminal', hasCustomTitle: false });
  else if (action !== 'mark_read' && action !== 'mark_unread')
    throw new RpcFailure('invalid_params', `Unsupported action ${action}`);
  return { action, ...whereabouts(place), title: place.surface.title };
}
