import type { CmuxApp } from './app.ts';
import { type Params, textOf } from './params.ts';
import { findPlace, findWorkspace, surfaceHandle } from './routing.ts';

/** One request as it came, and what was said to it. */
export interface RecordedRequest {
  readonly connection: number;
  /** Of a line of the older half: its verb. */
  readonly method: string;
  /** Of a line of the older half: `{ line }`, what follows the verb. */
  readonly params: Params;
  /** `ok`, the code of an error, or `dropped`. */
  outcome: string;
}

/** What a client did that a well-behaved one doesn't. */
export interface Conduct {
  readonly connections: number;
  readonly openConnections: number;
  readonly mostOpenConnections: number;
  readonly requests: number;
  /** Requests with ids that the app never gave out. */
  readonly unknownIds: readonly string[];
  /** Requests that act on whatever has the focus, since they name nothing. */
  readonly implicitTargets: readonly string[];
  /** Requests that could take the focus and don't say `focus: false`, and those that took it. */
  readonly focusTaken: readonly string[];
  /** Requests that changed what the client hadn't made. */
  readonly foreignTouched: readonly string[];
  /** What the client made and left open. */
  readonly leftOpen: readonly string[];
  readonly holds: boolean;
}

const MAKES = ['workspace.create', 'surface.split', 'surface.create', 'pane.create'];
const CHANGES = [
  'surface.send_text',
  'surface.send_key',
  'surface.close',
  'surface.clear_history',
  'surface.respawn',
  'surface.move',
  'surface.reorder',
  'surface.drag_to_split',
  'surface.split_off',
  'surface.action',
  'tab.action',
  'terminal.paste',
];
const CHANGES_WORKSPACE = [
  'workspace.close',
  'workspace.rename',
  'workspace.action',
  'workspace.reorder',
  'workspace.move_to_window',
  'pane.swap',
  'pane.break',
  'pane.join',
];
const FOCUSES =
  /^(?:window\.(?:focus|create|close)|workspace\.(?:select|next|previous|last)|(?:surface|pane)\.focus|pane\.last)$/;

/** Watches one run of a client; judges when it is asked. */
export class ConductWatch {
  readonly requests: RecordedRequest[] = [];
  readonly #app: CmuxApp;
  readonly #found = { unknownIds: [], implicitTargets: [], focusTaken: [], foreignTouched: [] } as Record<
    'unknownIds' | 'implicitTargets' | 'focusTaken' | 'foreignTouched',
    string[]
  >;
  #connections = 0;
  #open = 0;
  #mostOpen = 0;

  constructor(app: CmuxApp) {
    this.#app = app;
  }

  connected(): number {
    this.#connections += 1;
    this.#open += 1;
    this.#mostOpen = Math.max(this.#mostOpen, this.#open);
    return this.#connections;
  }

  disconnected(): void {
    this.#open -= 1;
  }

  /** A line of the older half. What it does to the focus shows in the app. */
  noteLine(connection: number, line: string, reply: string): void {
    const [, method = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(line) ?? [];
    const outcome = reply.startsWith('ERROR') ? 'error' : 'ok';
    this.requests.push({ connection, method: method.toLowerCase(), params: { line: rest }, outcome });
  }

  /** Looks at a request before it is done: afterwards what it closed is gone. */
  note(connection: number, method: string, params: Params): RecordedRequest {
    const request: RecordedRequest = { connection, method, params, outcome: 'pending' };
    this.requests.push(request);
    const words = `#${this.requests.length} ${method} ${JSON.stringify(params)}`;
    if (handlesIn(params).some((handle) => !this.#app.identities.wasGiven(handle))) this.#found.unknownIds.push(words);
    if (actsOnFocused(method, params)) this.#found.implicitTargets.push(words);
    if (FOCUSES.test(method) || (MAKES.includes(method) && params['focus'] !== false))
      this.#found.focusTaken.push(words);
    if (this.#isForeign(method, params)) this.#found.foreignTouched.push(words);
    return request;
  }

  conduct(): Conduct {
    const leftOpen = [
      ...this.#app
        .places()
        .flatMap(({ surface }) => (surface.madeBy === 'client' && !surface.isAdopted ? [surface] : [])),
      ...this.#app.windows.flatMap(({ workspaces }) => workspaces.filter(({ madeBy }) => madeBy === 'client')),
    ].map(({ ref, title }) => `${ref} ${title}`);
    const moved = this.#app.focusChanges.filter(({ by }) => by === 'client').map(({ what }) => `focus went to ${what}`);
    const found = { ...this.#found, focusTaken: [...this.#found.focusTaken, ...moved], leftOpen };
    return {
      connections: this.#connections,
      openConnections: this.#open,
      mostOpenConnections: this.#mostOpen,
      requests: this.requests.length,
      ...found,
      holds: Object.values(found).every((rows) => rows.length === 0),
    };
  }

  #isForeign(method: string, params: Params): boolean {
    if (CHANGES_WORKSPACE.includes(method)) {
      const found = findWorkspace(this.#app, textOf(params, 'workspace_id'));
      return found !== undefined && found.workspace.madeBy !== 'client';
    }
    if (!CHANGES.includes(method)) return false;
    const handle = surfaceHandle(params);
    const place = findPlace(this.#app, handle);
    // Without a handle it is whatever a person looks at; a handle that is gone touches nothing.
    return handle === undefined || (place !== undefined && place.surface.madeBy !== 'client');
  }
}

function actsOnFocused(method: string, params: Params): boolean {
  if (method === 'workspace.create') return params['window_id'] === undefined;
  if (CHANGES_WORKSPACE.includes(method)) return params['workspace_id'] === undefined;
  if (method === 'surface.create') return params['workspace_id'] === undefined;
  if (CHANGES.includes(method) || MAKES.includes(method) || method === 'surface.read_text')
    return params['workspace_id'] === undefined || surfaceHandle(params) === undefined;
  return method === 'surface.list' || method === 'pane.list' ? params['workspace_id'] === undefined : false;
}

function handlesIn(params: Params): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    /^(?:window|workspace|pane|surface|terminal|tab)_id$/.test(name) && typeof value === 'string' ? [value] : [],
  );
}
