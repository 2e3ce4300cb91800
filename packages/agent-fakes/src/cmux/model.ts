import type { Terminal } from './terminal.ts';

/** Who made or did something: the program under trial over the socket, a person, or the app itself. */
export type Actor = 'client' | 'human' | 'app';

/** A tab of a pane: a terminal. */
export interface Surface {
  readonly kind: 'surface';
  readonly id: string;
  readonly ref: string;
  readonly madeBy: Actor;
  directory: string | null;
  initialCommand: string | null;
  title: string;
  hasCustomTitle: boolean;
  /** Undefined where no process was ever started for it. */
  terminal: Terminal | undefined;
  /** Input that waits for the terminal's start. */
  pending: string;
  isWrittenTo: boolean;
  /** A person has given it a name of their own: it isn't the client's to close any more. */
  isAdopted: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** A cell of a workspace's layout. */
export interface Pane {
  readonly kind: 'pane';
  readonly id: string;
  readonly ref: string;
  readonly surfaces: Surface[];
  selected: Surface;
}

export interface SidebarEntry {
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
}

/** What a workspace's row in the sidebar shows. */
export interface Sidebar {
  readonly status: Map<string, SidebarEntry>;
  progress: { readonly value: number; readonly label: string } | null;
  log: { readonly level: string; readonly source: string; readonly message: string }[];
  /** Blocks of text below the row. */
  readonly blocks: Map<string, string>;
  /** What shells report: branch, pull request, ports; as `sidebar_state` shows them. */
  readonly reports: Map<string, string>;
}

export interface Workspace {
  readonly kind: 'workspace';
  readonly id: string;
  readonly ref: string;
  readonly madeBy: Actor;
  readonly operationId: string | null;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  sidebar: Sidebar;
  readonly panes: Pane[];
  title: string;
  hasCustomTitle: boolean;
  isPinned: boolean;
  focusedPane: Pane;
}

export interface Window {
  readonly kind: 'window';
  readonly id: string;
  readonly ref: string;
  readonly workspaces: Workspace[];
  selected: Workspace;
  /** The one that was selected before. */
  previous?: Workspace;
}

/** Where something lies. */
export interface Place {
  readonly window: Window;
  readonly workspace: Workspace;
  readonly pane: Pane;
  readonly surface: Surface;
}

export function surfacesOf(workspace: Workspace): readonly Surface[] {
  return workspace.panes.flatMap((pane) => pane.surfaces);
}

/** The surface that a person in this workspace would type into. */
export function focusedSurfaceOf(workspace: Workspace): Surface {
  return workspace.focusedPane.selected;
}

/** Takes one out of a row; gives the one that is selected in its place: the next, else the one before it. */
export function takeFrom<T>(row: T[], one: T): T | undefined {
  const at = row.indexOf(one);
  row.splice(at, 1);
  return row[at] ?? row[at - 1];
}

export function emptySidebar(): Sidebar {
  return { status: new Map(), progress: null, log: [], blocks: new Map(), reports: new Map() };
}
