import { randomUUID } from 'node:crypto';
import { EventFeed } from './event-feed.ts';
import { RpcFailure } from './failure.ts';
import { Identities } from './identities.ts';
import { makePane, makeSurface, makeWorkspace, type NewSurface, type NewWorkspace } from './make.ts';
import {
  type Actor,
  focusedSurfaceOf,
  type Place,
  type Surface,
  surfacesOf,
  takeFrom,
  type Window,
  type Workspace,
} from './model.ts';
import { type TerminalSettings, Terminals } from './terminals.ts';
import type { CmuxVersion } from './version.ts';

/** A change of where a person's keys go. */
export interface FocusChange {
  readonly by: Actor;
  readonly what: string;
}

/** The app: windows ⊃ workspaces ⊃ panes ⊃ surfaces, where the focus is, and what a person sees of it. */
export class CmuxApp {
  readonly version: CmuxVersion;
  readonly identities = new Identities();
  readonly feed = new EventFeed();
  readonly windows: Window[] = [];
  readonly focusChanges: FocusChange[] = [];
  readonly notifications: Record<string, unknown>[] = [];
  readonly finishedOperations = new Set<string>();
  readonly terminals: Terminals;
  bootId: string = randomUUID();
  active: Window;

  constructor(version: CmuxVersion, settings: TerminalSettings) {
    this.version = version;
    this.terminals = new Terminals(settings, (surface) => this.#onShellExit(surface));
    this.active = this.createWindow();
  }

  places(): readonly Place[] {
    return this.windows.flatMap((window) =>
      window.workspaces.flatMap((workspace) =>
        workspace.panes.flatMap((pane) => pane.surfaces.map((surface) => ({ window, workspace, pane, surface }))),
      ),
    );
  }

  placeOf(surface: Surface): Place | undefined {
    return this.places().find((place) => place.surface === surface);
  }

  /** With one workspace in it; the app makes it at its start. */
  createWindow(): Window {
    const window = { kind: 'window', ...this.identities.next('window'), workspaces: [] as Workspace[] } as const;
    const workspace = this.makeWorkspace({ by: 'app', title: null });
    const made: Window = Object.assign(window, { selected: workspace });
    made.workspaces.push(workspace);
    this.windows.push(made);
    this.#start(made, workspace, focusedSurfaceOf(workspace));
    return made;
  }

  /** In no window yet, and with nothing started in it. */
  makeWorkspace(o: NewWorkspace): Workspace {
    return makeWorkspace(this.identities, { directory: this.terminals.home, ...o });
  }

  createWorkspace(window: Window, o: NewWorkspace): Workspace {
    const workspace = this.makeWorkspace(o);
    window.workspaces.push(workspace);
    this.feed.emit('workspace.created', { workspace_id: workspace.id, window_id: window.id });
    this.#start(window, workspace, focusedSurfaceOf(workspace), o.input);
    return workspace;
  }

  /** A new pane beside another one's; the focus within the workspace stays unless asked for. */
  split(place: Place, o: NewSurface): Place {
    const surface = makeSurface(this.identities, o);
    const pane = makePane(this.identities, surface);
    place.workspace.panes.push(pane);
    return this.#opened({ ...place, pane, surface }, o.input);
  }

  /** A new tab in a pane. */
  addTab(place: Place, o: NewSurface): Place {
    const surface = makeSurface(this.identities, o);
    place.pane.surfaces.push(surface);
    return this.#opened({ ...place, surface }, o.input);
  }

  focus(place: Place, by: Actor): void {
    this.active = place.window;
    if (place.window.selected !== place.workspace) place.window.previous = place.window.selected;
    place.window.selected = place.workspace;
    place.workspace.focusedPane = place.pane;
    place.pane.selected = place.surface;
    this.focusChanges.push({ by, what: place.surface.ref });
    this.feed.emit('surface.focused', { surface_id: place.surface.id, workspace_id: place.workspace.id });
    if (place.surface.terminal === undefined) this.terminals.start(place);
  }

  /** Closes a surface; the last one of a workspace is refused, as the app does. */
  closeSurface(place: Place): void {
    if (surfacesOf(place.workspace).length === 1)
      throw new RpcFailure('invalid_state', 'Cannot close the last surface');
    this.#remove(place);
  }

  closeWorkspace(window: Window, workspace: Workspace): void {
    if (workspace.isPinned) throw new RpcFailure('protected', 'Workspace is pinned', { pinned: true });
    if (window.workspaces.length > 1) this.#removeWorkspace(window, workspace);
    else if (this.version.lastWorkspaceClosesWindow) {
      this.#removeWorkspace(window, workspace);
      this.windows.splice(this.windows.indexOf(window), 1);
      this.active = this.windows[0] ?? this.createWindow();
    }
  }

  /** Quits and starts again, with the windows restored: new ids, new shells, the same titles. */
  relaunch(): void {
    const restored = this.windows.map((window) => ({ window, workspaces: [...window.workspaces] }));
    for (const { surface } of this.places()) this.terminals.hangUp(surface);
    this.identities.relaunch();
    this.feed.relaunch();
    this.bootId = randomUUID();
    this.windows.length = 0;
    for (const { workspaces } of restored) this.#restoreWindow(workspaces);
    this.active = this.windows[0] ?? this.createWindow();
  }

  /** Ends every process that was started for a surface. */
  quit(): void {
    for (const { surface } of this.places()) this.terminals.hangUp(surface);
  }

  #restoreWindow(workspaces: readonly Workspace[]): void {
    const [first] = workspaces;
    if (first === undefined) return;
    const restored = workspaces.map((workspace) => this.#restoreWorkspace(workspace));
    const window: Window = {
      kind: 'window',
      ...this.identities.next('window'),
      workspaces: restored,
      selected: restored[0] ?? this.makeWorkspace({ by: 'app' }),
    };
    this.windows.push(window);
    for (const workspace of restored)
      for (const pane of workspace.panes)
        for (const surface of pane.surfaces) this.terminals.start({ window, workspace, pane, surface });
  }

  #restoreWorkspace(before: Workspace): Workspace {
    const id = this.version.workspaceIdsSurvive ? before.id : undefined;
    const surfaces = surfacesOf(before).map((old) =>
      Object.assign(makeSurface(this.identities, { by: 'app', directory: old.directory }), {
        title: old.title,
        hasCustomTitle: old.hasCustomTitle,
      }),
    );
    const panes = surfaces.map((surface) => makePane(this.identities, surface));
    const workspace = this.makeWorkspace({
      by: before.madeBy,
      title: before.title,
      ...(id === undefined ? {} : { id }),
    });
    workspace.panes.splice(0, workspace.panes.length, ...panes);
    workspace.focusedPane = panes[0] ?? workspace.focusedPane;
    workspace.hasCustomTitle = before.hasCustomTitle;
    return workspace;
  }

  #opened(place: Place, input: string | undefined): Place {
    this.feed.emit('surface.created', { surface_id: place.surface.id, workspace_id: place.workspace.id });
    this.#start(place.window, place.workspace, place.surface, input);
    return place;
  }

  #start(window: Window, workspace: Workspace, surface: Surface, input = ''): void {
    surface.pending += input;
    const pane = workspace.panes.find((one) => one.surfaces.includes(surface)) ?? workspace.focusedPane;
    const isShown = window.selected === workspace && this.version.startsInBackground;
    const isFirst = this.windows.length <= 1 && window.workspaces.length <= 1 && workspace.panes.length <= 1;
    if (this.version.startsInBackground || isShown || isFirst)
      this.terminals.start({ window, workspace, pane, surface });
  }

  #remove({ window, workspace, pane, surface }: Place): void {
    this.terminals.hangUp(surface);
    const next = takeFrom(pane.surfaces, surface);
    if (pane.selected === surface) pane.selected = next ?? surface;
    if (pane.surfaces.length === 0) workspace.panes.splice(workspace.panes.indexOf(pane), 1);
    if (workspace.focusedPane === pane && pane.surfaces.length === 0)
      workspace.focusedPane = workspace.panes[0] ?? workspace.focusedPane;
    this.feed.emit('surface.closed', { surface_id: surface.id, workspace_id: workspace.id, window_id: window.id });
  }

  #removeWorkspace(window: Window, workspace: Workspace): void {
    for (const surface of surfacesOf(workspace)) this.terminals.hangUp(surface);
    const next = takeFrom(window.workspaces, workspace);
    if (window.selected === workspace) window.selected = next ?? workspace;
    if (workspace.operationId !== null) this.finishedOperations.add(workspace.operationId);
    this.feed.emit('workspace.closed', { workspace_id: workspace.id, window_id: window.id });
  }

  /** A shell that has ended takes its surface with it, the last one its workspace. */
  #onShellExit(surface: Surface): void {
    const place = this.placeOf(surface);
    if (place === undefined || surface.initialCommand !== null) return;
    if (surfacesOf(place.workspace).length > 1) this.#remove(place);
    else this.#removeWorkspace(place.window, place.workspace);
  }
}
