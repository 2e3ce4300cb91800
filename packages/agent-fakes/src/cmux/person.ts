import type { CmuxApp } from './app.ts';
import { focusedSurfaceOf, type Place } from './model.ts';
import { findPlace } from './routing.ts';

/** What a person at the app can do. */
export interface Person {
  rename(surface: string, title: string): void;
  close(surface: string): void;
  type(surface: string, text: string): void;
  /** A new tab beside a surface; gives its id. */
  openTab(besideSurface: string): string;
  split(surface: string): string;
  /** Looks at another surface. */
  look(surface: string): void;
  move(surface: string): void;
}

/** A person's hands; throws Error for a surface that isn't there. */
export function personAt(app: CmuxApp): Person {
  const at = (handle: string): Place => {
    const place = findPlace(app, handle);
    if (place === undefined) throw new Error(`no surface ${handle}`);
    return place;
  };
  return {
    rename: (handle, title) => void Object.assign(at(handle).surface, { title, hasCustomTitle: true, isAdopted: true }),
    close: (handle) => app.closeSurface(at(handle)),
    type: (handle, text) => void app.terminals.write(at(handle).surface, text),
    openTab: (handle) => app.addTab(at(handle), { by: 'human' }).surface.id,
    split: (handle) => app.split(at(handle), { by: 'human' }).surface.id,
    look: (handle) => app.focus(at(handle), 'human'),
    move: (handle) => moveToFirstPane(at(handle)),
  };
}

function moveToFirstPane({ workspace, pane, surface }: Place): void {
  const [target] = workspace.panes;
  if (target === undefined || target === pane) return;
  pane.surfaces.splice(pane.surfaces.indexOf(surface), 1);
  target.surfaces.push(surface);
  if (pane.surfaces.length === 0) workspace.panes.splice(workspace.panes.indexOf(pane), 1);
  else if (pane.selected === surface) pane.selected = pane.surfaces[0] ?? focusedSurfaceOf(workspace);
  if (!workspace.panes.includes(workspace.focusedPane)) workspace.focusedPane = target;
}
