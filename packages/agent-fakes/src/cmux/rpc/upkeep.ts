import { surfacesOf } from '../model.ts';
import { directoryOf, textOf } from '../params.ts';
import { endedSurfaceOf, surfaceOf, workspaceOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';

/** What is done to surfaces besides typing into them. */
export const upkeepMethods: Methods = {
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
