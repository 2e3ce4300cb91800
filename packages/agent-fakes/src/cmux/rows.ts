import type { CmuxApp } from './app.ts';
import { type Place, type Surface, surfacesOf, type Window, type Workspace } from './model.ts';

type Row = Readonly<Record<string, unknown>>;

/** Ids and refs of a place, as replies carry them. */
export function idsOf(place: Partial<Place>): Row {
  const { window, workspace, pane, surface } = place;
  return {
    ...(window && { window_id: window.id, window_ref: window.ref }),
    ...(workspace && { workspace_id: workspace.id, workspace_ref: workspace.ref }),
    ...(pane && { pane_id: pane.id, pane_ref: pane.ref }),
    ...(surface && { surface_id: surface.id, surface_ref: surface.ref }),
  };
}

/** As `system.identify` names where somebody is. */
export function whereabouts(place: Place): Row {
  const { surface } = place;
  return {
    ...idsOf(place),
    tab_id: surface.id,
    tab_ref: surface.ref.replace('surface:', 'tab:'),
    surface_type: 'terminal',
    is_browser_surface: false,
  };
}

export function windowRow(app: CmuxApp, window: Window, index: number): Row {
  return {
    id: window.id,
    ref: window.ref,
    index,
    key: app.active === window,
    visible: true,
    workspace_count: window.workspaces.length,
    selected_workspace_id: window.selected.id,
    selected_workspace_ref: window.selected.ref,
  };
}

export function workspaceRow(app: CmuxApp, window: Window, index: number): Row {
  const workspace = window.workspaces[index] ?? window.selected;
  return {
    id: workspace.id,
    ref: workspace.ref,
    index,
    title: workspace.title,
    ...(app.version.tellsCustomTitles && {
      custom_title: workspace.hasCustomTitle ? workspace.title : null,
      has_custom_title: workspace.hasCustomTitle,
    }),
    description: null,
    selected: window.selected === workspace,
    pinned: workspace.isPinned,
    listening_ports: [],
    remote: { connected: false },
    current_directory: workspace.directory,
    custom_color: null,
    latest_conversation_message: null,
    latest_submitted_message: null,
    latest_submitted_at: null,
  };
}

export function surfaceRows(workspace: Workspace): readonly Row[] {
  return surfacesOf(workspace).map((surface, index) => surfaceRow(workspace, surface, index));
}

export function paneRows(workspace: Workspace): readonly Row[] {
  return workspace.panes.map((pane, index) => ({
    id: pane.id,
    ref: pane.ref,
    index,
    focused: workspace.focusedPane === pane,
    surface_ids: pane.surfaces.map(({ id }) => id),
    surface_refs: pane.surfaces.map(({ ref }) => ref),
    selected_surface_id: pane.selected.id,
    selected_surface_ref: pane.selected.ref,
    surface_count: pane.surfaces.length,
    pixel_frame: { x: 0, y: 0, width: 960, height: 800 },
    columns: 120,
    rows: 40,
    cell_width: 8,
    cell_height: 20,
  }));
}

function surfaceRow(workspace: Workspace, surface: Surface, index: number): Row {
  const pane = workspace.panes.find((one) => one.surfaces.includes(surface));
  return {
    id: surface.id,
    ref: surface.ref,
    index,
    type: 'terminal',
    title: surface.title,
    focused: workspace.focusedPane === pane && pane?.selected === surface,
    pane_id: pane?.id,
    pane_ref: pane?.ref,
    index_in_pane: pane?.surfaces.indexOf(surface),
    selected_in_pane: pane?.selected === surface,
    requested_working_directory: surface.directory,
    initial_command: surface.initialCommand,
    tmux_start_command: null,
    resume_binding: null,
  };
}
