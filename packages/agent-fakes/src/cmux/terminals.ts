import type { Place, Surface } from './model.ts';
import { Screen, titleIn } from './screen.ts';
import { type OpenTerminal, onFirstInput, shellArgv } from './terminal.ts';

/** What every terminal of the app gets, whoever asked for it. */
export interface TerminalSettings {
  readonly open: OpenTerminal;
  readonly home: string;
  /** The app's own environment: a terminal never inherits its client's. */
  readonly environment: Readonly<Record<string, string>>;
  /** Read at each start, since a relaunch changes tokens. */
  readonly appVariables: () => Readonly<Record<string, string>>;
}

const PENDING_BYTES = 1024 * 1024;

/** The processes behind the surfaces, and what they have shown. */
export class Terminals {
  readonly #settings: TerminalSettings;
  readonly #onExit: (surface: Surface) => void;
  readonly #screens = new WeakMap<Surface, Screen>();
  readonly #exited = new WeakSet<Surface>();

  constructor(settings: TerminalSettings, onExit: (surface: Surface) => void) {
    this.#settings = settings;
    this.#onExit = onExit;
  }

  get home(): string {
    return this.#settings.home;
  }

  screenOf(surface: Surface): Screen {
    const known = this.#screens.get(surface);
    if (known !== undefined) return known;
    const screen = new Screen();
    this.#screens.set(surface, screen);
    return screen;
  }

  hasExited(surface: Surface): boolean {
    return this.#exited.has(surface);
  }

  start(place: Place): void {
    const { surface, workspace } = place;
    if (surface.terminal !== undefined) return;
    const { open } = this.#settings;
    const openOne = surface.initialCommand === null ? onFirstInput(open) : open;
    const terminal = openOne({
      argv: argvOf(surface),
      cwd: surface.directory ?? workspace.directory,
      env: this.#environmentOf(place),
      onData: (text) => this.#show(surface, text),
      onExit: () => {
        if (surface.terminal !== terminal || this.#exited.has(surface)) return;
        this.#exited.add(surface);
        this.#onExit(surface);
      },
    });
    surface.terminal = terminal;
    const { pending } = surface;
    surface.pending = '';
    if (pending !== '') this.write(surface, pending);
  }

  /** False where it can't be kept: too much waits already. */
  write(surface: Surface, text: string): boolean {
    surface.isWrittenTo = true;
    if (surface.terminal !== undefined) surface.terminal.write(text);
    else if (Buffer.byteLength(surface.pending) + Buffer.byteLength(text) > PENDING_BYTES) return false;
    else surface.pending += text;
    return true;
  }

  hangUp(surface: Surface): void {
    this.#exited.add(surface);
    surface.terminal?.hangUp();
  }

  /** Another process on the same surface. */
  respawn(place: Place): void {
    const { surface } = place;
    const before = surface.terminal;
    surface.terminal = undefined;
    before?.hangUp();
    this.#exited.delete(surface);
    this.screenOf(surface).clear();
    this.start(place);
  }

  #show(surface: Surface, text: string): void {
    this.screenOf(surface).append(text);
    const title = titleIn(text);
    if (title !== undefined && !surface.hasCustomTitle) surface.title = title;
  }

  #environmentOf({ workspace, surface }: Place): Readonly<Record<string, string>> {
    return {
      ...this.#settings.environment,
      ...workspace.environment,
      ...surface.environment,
      ...this.#settings.appVariables(),
      CMUX_WORKSPACE_ID: workspace.id,
      CMUX_TAB_ID: workspace.id,
      CMUX_SURFACE_ID: surface.id,
      CMUX_PANEL_ID: surface.id,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'ghostty',
    };
  }
}

function argvOf(surface: Surface): readonly [string, ...string[]] {
  if (surface.initialCommand === null) return shellArgv();
  return ['/bin/sh', '-c', surface.initialCommand];
}
