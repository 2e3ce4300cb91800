import type { CmuxApp } from './app.ts';
import { RpcFailure } from './failure.ts';
import { makePane } from './make.ts';
import { type Pane, type Place, type Surface, surfacesOf, takeFrom, type Window, type Workspace } from './model.ts';

/** Where a surface is to go in its new pane; at the end where nothing is said. */
export type Slot = { readonly index: number } | { readonly before: string } | { readonly after: string } | undefined;

/** Moves a surface to a pane, in whatever workspace that is. The last one of a workspace takes its workspace along. */
export function moveSurface(app: CmuxApp, place: Place, target: Place, slot?: Slot): Place {
  // Among the others, and refused before anything is moved.
  const others = target.pane.surfaces.filter((one) => one !== place.surface);
  const index = Math.max(0, Math.min(indexOf(others, slot), others.length));
  if (place.pane !== target.pane) takeOut(app, place, target.workspace);
  else place.pane.surfaces.splice(place.pane.surfaces.indexOf(place.surface), 1);
  target.pane.surfaces.splice(index, 0, place.surface);
  app.feed.emit('surface.moved', { surface_id: place.surface.id, workspace_id: target.workspace.id });
  return { ...target, surface: place.surface };
}

/** A surface becomes a pane of its own, in its workspace. */
export function splitOff(app: CmuxApp, place: Place): Place {
  if (place.pane.surfaces.length === 1) throw new RpcFailure('internal_error', 'Failed to split pane');
  const pane = emptyPane(app, place.surface);
  place.workspace.panes.push(pane);
  return moveSurface(app, place, { ...place, pane });
}

/** A surface becomes a workspace of its own, in its window. */
export function breakOut(app: CmuxApp, place: Place): Place {
  const pane = emptyPane(app, place.surface);
  const made = app.makeWorkspace({ by: place.surface.madeBy });
  const workspace = Object.assign(made, { panes: [pane], focusedPane: pane });
  const moved = moveSurface(app, place, { ...place, workspace, pane });
  place.window.workspaces.push(workspace);
  return moved;
}

/** A pane that a surface is about to be moved to. */
function emptyPane(app: CmuxApp, surface: Surface): Pane {
  return { ...makePane(app.identities, surface), surfaces: [] };
}

/** Moves a workspace within its window, or to the end of another one. */
export function moveWorkspace(from: Window, workspace: Workspace, to: Window, index = to.workspaces.length): void {
  const next = takeFrom(from.workspaces, workspace);
  to.workspaces.splice(Math.max(0, Math.min(index, to.workspaces.length)), 0, workspace);
  if (from !== to && from.selected === workspace) from.selected = next ?? workspace;
}

/** Changes what two panes of a workspace have selected. */
export function swapPanes(app: CmuxApp, one: Place, other: Place): void {
  const [mine, theirs] = [one.surface, other.surface];
  one.pane.surfaces.splice(one.pane.surfaces.indexOf(mine), 1, theirs);
  other.pane.surfaces.splice(other.pane.surfaces.indexOf(theirs), 1, mine);
  one.pane.selected = theirs;
  other.pane.selected = mine;
  app.feed.emit('pane.swapped', { workspace_id: one.workspace.id });
}

/** Takes a surface out of its pane; a pane that is empty goes, and so does a workspace that has none any more. */
function takeOut(app: CmuxApp, { window, workspace, pane, surface }: Place, target: Workspace): void {
  const isLast = surfacesOf(workspace).length === 1;
  if (isLast && (workspace === target || window.workspaces.length === 1))
    throw new RpcFailure('internal_error', 'Failed to move surface');
  const next = takeFrom(pane.surfaces, surface);
  if (pane.selected === surface) pane.selected = next ?? surface;
  if (pane.surfaces.length === 0 && !isLast) workspace.panes.splice(workspace.panes.indexOf(pane), 1);
  if (!workspace.panes.includes(workspace.focusedPane))
    workspace.focusedPane = workspace.panes[0] ?? workspace.focusedPane;
  if (isLast) app.closeWorkspace(window, workspace);
}

function indexOf(surfaces: readonly Surface[], slot: Slot): number {
  if (slot === undefined) return surfaces.length;
  if ('index' in slot) return slot.index;
  const anchor = 'before' in slot ? slot.before : slot.after;
  const at = surfaces.findIndex(({ id, ref }) => id === anchor.toUpperCase() || ref === anchor);
  if (at === -1) throw new RpcFailure('invalid_params', 'Anchor surface must be in the same pane');
  return 'before' in slot ? at : at + 1;
}
