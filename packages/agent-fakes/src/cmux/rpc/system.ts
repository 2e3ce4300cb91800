import { AccessMode } from '../access.ts';
import type { CmuxApp } from '../app.ts';
import { focusedSurfaceOf, type Place } from '../model.ts';
import type { Params } from '../params.ts';
import { findPlace, findWorkspace, surfaceHandle } from '../routing.ts';
import { paneRows, surfaceRows, whereabouts, windowRow, workspaceRow } from '../rows.ts';
import type { Method, Methods } from './method.ts';

export const systemMethods: Methods = {
  'system.ping': () => ({ pong: true }),
  // Whoever gets here is let in already.
  'auth.login': (_, __, around) => ({ authenticated: true, required: around.accessMode() === AccessMode.password }),
  'system.identify': (app, params, around) => ({
    socket_path: around.socketPath,
    bundle_identifier: 'com.cmuxterm.app',
    app_bundle_path: '/Applications/cmux.app',
    app_executable_path: '/Applications/cmux.app/Contents/MacOS/cmux',
    app_cli_path: around.cliPath,
    focused: focusedOf(app),
    caller: callerOf(app, params),
  }),
  'system.tree': (app, params) => ({
    active: focusedOf(app),
    caller: callerOf(app, params),
    windows: app.windows.map((window, index) => ({
      ...windowRow(app, window, index),
      workspaces: window.workspaces.map((workspace, at) => ({
        ...workspaceRow(app, window, at),
        panes: paneRows(workspace).map((pane) => ({
          ...pane,
          surfaces: surfaceRows(workspace)
            .filter((row) => row['pane_id'] === pane['id'])
            .map((row) => ({ ...row, tty: null, url: null })),
        })),
      })),
    })),
  }),
};

/** Named by `system.capabilities`; what the app can but doesn't list is left out here too. */
export function capabilitiesMethod(methods: readonly string[]): Method {
  const listed = methods.filter((name) => name !== 'events.stream').sort();
  return (_, __, around) => ({
    protocol: 'cmux-socket',
    version: 2,
    socket_path: around.socketPath,
    access_mode: around.accessMode(),
    capabilities: [],
    methods: listed,
  });
}

function focusedOf(app: CmuxApp): unknown {
  const place = app.placeOf(focusedSurfaceOf(app.active.selected));
  return place === undefined ? null : whereabouts(place);
}

function callerOf(app: CmuxApp, params: Params): unknown {
  const { caller } = params;
  if (typeof caller !== 'object' || caller === null) return null;
  const place = placeOfCaller(app, caller as Params); // read by name below, whatever it holds
  return place === undefined ? null : whereabouts(place);
}

function placeOfCaller(app: CmuxApp, caller: Params): Place | undefined {
  const found = findWorkspace(app, typeof caller['workspace_id'] === 'string' ? caller['workspace_id'] : undefined);
  const place = findPlace(app, surfaceHandle(caller));
  if (place !== undefined) return found === undefined || found.workspace === place.workspace ? place : undefined;
  return undefined;
}
