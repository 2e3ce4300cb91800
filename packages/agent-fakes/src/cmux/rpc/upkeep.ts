import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { surfacesOf, type Workspace } from '../model.ts';
import { directoryOf, type Params, textOf } from '../params.ts';
import { endedSurfaceOf, surfaceOf, workspaceOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';

/** What is done to workspaces and surfaces besides opening, closing, moving and typing. */
export const upkeepMethods: Methods = {
  'workspace.action': (app, params) => actOnWorkspace(app, params),
  'workspace.equalize_splits': (app, params) => {
    const { workspace } = workspaceOf(app, params);
    return { ...idsOf({ workspace }), equalized: workspace.panes.length > 1 };
  },
  'surface.refresh': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    return { ...idsOf({ window, workspace }), refreshed: surfacesOf(workspace).length };
  },
  'surface.trigger_flash': (app, params) => {
    const { window, workspace, surface } = surfaceOf(app, params);
    return idsOf({ window, workspace, surface });
  },
  'surface.respawn': (app, params) => {
    const place = endedSurfaceOf(app, params);
    const { surface } = place;
    surface.initialCommand = textOf(params, 'command') ?? surface.initialCommand;
    surface.directory = directoryOf(params, app.terminals.home) ?? surface.directory;
    app.terminals.respawn(place);
    return idsOf(place);
  },
  // The app tells much more of each: addresses and frames of its views.
  'debug.terminals': (app) => {
    const terminals = app.places().map((place, index) => ({
      index,
      ...idsOf(place),
      workspace_title: place.workspace.title,
      surface_title: place.surface.title,
      runtime_surface_ready: place.surface.terminal !== undefined,
      current_directory: place.surface.directory ?? place.workspace.directory,
      requested_working_directory: place.surface.directory,
      initial_command: place.surface.initialCommand,
      git_branch: null,
      git_dirty: false,
      listening_ports: [],
      tty: null,
    }));
    return { count: terminals.length, terminals };
  },
};

const ACTIONS = ['pin', 'unpin', 'rename', 'clear_name', 'mark_read', 'mark_unread'];

function actOnWorkspace(app: CmuxApp, params: Params): unknown {
  const action = textOf(params, 'action')?.toLowerCase().replaceAll('-', '_');
  if (action === undefined) throw new RpcFailure('invalid_params', 'Missing action');
  if (!ACTIONS.includes(action))
    throw new RpcFailure('invalid_params', 'Unknown workspace action', { action, supported_actions: ACTIONS });
  const { window, workspace } = workspaceOf(app, params);
  return { action, ...idsOf({ window, workspace }), ...changed(workspace, action, textOf(params, 'title')) };
}

function changed(workspace: Workspace, action: string, title: string | undefined): object {
  if (action === 'pin' || action === 'unpin') {
    workspace.isPinned = action === 'pin';
    return { pinned: workspace.isPinned };
  }
  if (action === 'rename' && title === undefined) throw new RpcFailure('invalid_params', 'Missing or invalid title');
  if (action === 'rename') Object.assign(workspace, { title, hasCustomTitle: true });
  if (action === 'clear_name') Object.assign(workspace, { title: 'Workspace', hasCustomTitle: false });
  return action === 'rename' || action === 'clear_name' ? { title: workspace.title } : {};
}
