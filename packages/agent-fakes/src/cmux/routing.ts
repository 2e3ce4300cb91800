import type { CmuxApp } from './app.ts';
import { RpcFailure } from './failure.ts';
import { isUuid } from './identities.ts';
import { focusedSurfaceOf, type Place, type Surface, type Window, type Workspace } from './model.ts';
import { type Params, textOf } from './params.ts';

interface Named {
  readonly id: string;
  readonly ref: string;
}

function isNamed(thing: Named, handle: string): boolean {
  return thing.id === handle.toUpperCase() || thing.ref === handle.replace(/^tab:/, 'surface:');
}

/** The window that a request means, by the app's order of precedence. */
export function windowOf(app: CmuxApp, params: Params): Window {
  const window = textOf(params, 'window_id');
  if (window !== undefined) {
    const found = app.windows.find((one) => isNamed(one, window));
    if (found !== undefined) return found;
    throw new RpcFailure('unavailable', 'TabManager not available');
  }
  const byWorkspace = findWorkspace(app, textOf(params, 'workspace_id'));
  const bySurface = byWorkspace === undefined ? findPlace(app, surfaceHandle(params)) : undefined;
  return byWorkspace?.window ?? bySurface?.window ?? byPane(app, params)?.window ?? activeWindow(app);
}

/** Window and workspace that a request means; without a handle the selected one. */
export function workspaceOf(app: CmuxApp, params: Params): { readonly window: Window; readonly workspace: Workspace } {
  const window = windowOf(app, params);
  const handle = textOf(params, 'workspace_id');
  if (handle !== undefined) {
    const workspace = window.workspaces.find((one) => isNamed(one, handle));
    if (workspace === undefined) throw new RpcFailure('not_found', 'Workspace not found');
    return { window, workspace };
  }
  const place = findPlace(app, surfaceHandle(params)) ?? byPane(app, params);
  return { window, workspace: place?.window === window ? place.workspace : window.selected };
}

/** The terminal that text, keys and reading go to. An absent handle means the focused one: that is the app's trap. */
export function terminalOf(app: CmuxApp, params: Params): Place {
  const { workspace } = workspaceOf(app, params);
  const handle = surfaceHandle(params);
  if (handle === undefined) return placeOf(app, focusedSurfaceOf(workspace));
  const place = findPlace(app, handle);
  if (place?.workspace === workspace) return place;
  if (isUuid(handle)) throw new RpcFailure('invalid_params', 'Surface is not a terminal', { surface_id: handle });
  throw new RpcFailure('not_found', 'Surface not found for the given surface_id');
}

/** The surface that something is done beside or to. */
export function surfaceOf(app: CmuxApp, params: Params): Place {
  const { workspace } = workspaceOf(app, params);
  const handle = surfaceHandle(params);
  if (handle === undefined) return placeOf(app, focusedSurfaceOf(workspace));
  const place = findPlace(app, handle);
  if (place?.workspace === workspace) return place;
  // A handle that can't be read is passed over; before 0.64 one that is unknown was too.
  if (!isUuid(handle) || !app.version.splitIsNeutral) return placeOf(app, focusedSurfaceOf(workspace));
  throw surfaceNotFound(handle);
}

/** The surface that is closed or respawned: from 0.64.22 nothing else than what is named. */
export function endedSurfaceOf(app: CmuxApp, params: Params): Place {
  const handle = surfaceHandle(params);
  if (handle === undefined || !app.version.closesOnlyWhatIsNamed) return surfaceOf(app, params);
  const place = findPlace(app, handle);
  if (place?.workspace === workspaceOf(app, params).workspace) return place;
  throw surfaceNotFound(handle);
}

/** The surface of this handle, in whatever workspace it is. */
export function namedSurface(app: CmuxApp, params: Params): Place {
  const handle = surfaceHandle(params);
  if (handle === undefined) throw new RpcFailure('invalid_params', 'Missing or invalid surface_id');
  const place = findPlace(app, handle);
  if (place === undefined) throw surfaceNotFound(handle);
  return place;
}

/** The pane of this handle, with the surface that is selected in it. */
export function namedPane(app: CmuxApp, params: Params, name = 'pane_id'): Place {
  const handle = textOf(params, name);
  if (handle === undefined) throw new RpcFailure('invalid_params', `Missing or invalid ${name}`);
  const found = app.places().find(({ pane, surface }) => isNamed(pane, handle) && pane.selected === surface);
  if (found === undefined) throw new RpcFailure('not_found', 'Pane not found', { [name]: handle });
  return found;
}

export function surfaceHandle(params: Params): string | undefined {
  return textOf(params, 'surface_id', 'terminal_id', 'tab_id');
}

export function findPlace(app: CmuxApp, handle: string | undefined): Place | undefined {
  return handle === undefined ? undefined : app.places().find(({ surface }) => isNamed(surface, handle));
}

export function findWorkspace(
  app: CmuxApp,
  handle: string | undefined,
): { readonly window: Window; readonly workspace: Workspace } | undefined {
  if (handle === undefined) return undefined;
  for (const window of app.windows)
    for (const workspace of window.workspaces) if (isNamed(workspace, handle)) return { window, workspace };
  return undefined;
}

export function placeOf(app: CmuxApp, surface: Surface): Place {
  const place = app.placeOf(surface);
  if (place === undefined) throw new RpcFailure('not_found', 'No focused surface');
  return place;
}

function surfaceNotFound(handle: string): RpcFailure {
  return new RpcFailure('not_found', 'Surface not found', { surface_id: handle });
}

function byPane(app: CmuxApp, params: Params): Place | undefined {
  const handle = textOf(params, 'pane_id');
  return handle === undefined ? undefined : app.places().find(({ pane }) => isNamed(pane, handle));
}

function activeWindow(app: CmuxApp): Window {
  if (app.windows.length === 0) throw new RpcFailure('unavailable', 'TabManager not available');
  return app.active;
}
