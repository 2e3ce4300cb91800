import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { type AccessFacts, AccessMode } from './access.ts';
import { CmuxApp } from './app.ts';
import { type Conduct, ConductWatch, type RecordedRequest } from './conduct.ts';
import { Connection, type ServerParts } from './connection.ts';
import { seededRandom } from './encode-reply.ts';
import { type FaultSettings, Faults } from './faults.ts';
import { focusedSurfaceOf } from './model.ts';
import type { FakeCmuxOptions } from './options.ts';
import { type Person, personAt } from './person.ts';
import { leaveMarker } from './places.ts';
import { guardRelay } from './relay.ts';
import { methodsOf } from './rpc/methods.ts';
import { terminalOpener } from './terminal.ts';
import { type CmuxVersion, cmuxVersion, NEWEST_CMUX } from './version.ts';

/** A running fake, in this process. */
export interface FakeCmux {
  readonly app: CmuxApp;
  readonly person: Person;
  /** What a program started in the surface that a person looks at finds in its environment. */
  environment(): Readonly<Record<string, string>>;
  requests(): readonly RecordedRequest[];
  conduct(): Conduct;
  setFaults(changes: Partial<FaultSettings>): void;
  dropNext(method: string): void;
  /** Changes who may talk to it, and ends what is open. */
  setMode(mode: AccessMode): Promise<void>;
  /** Quits the app and starts it again; `pauseMs` is how long nobody listens. */
  relaunch(pauseMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a fake cmux: a real unix socket, real terminals. Resolves once it listens; the caller closes it. */
export async function startFakeCmux(options: FakeCmuxOptions): Promise<FakeCmux> {
  return new RunningFake(options, await terminalOpener()).begin();
}

class RunningFake {
  readonly #options: FakeCmuxOptions;
  readonly #version: CmuxVersion;
  readonly #app: CmuxApp;
  readonly #watch: ConductWatch;
  readonly #faults: Faults;
  readonly #connections = new Set<Connection>();
  readonly #cliPath: string;
  readonly #relay = { id: 'relay-1', token: randomBytes(32).toString('hex'), port: 0 };
  #token = newToken();
  #mode: AccessMode;
  #servers: Server[] = [];

  constructor(options: FakeCmuxOptions, open: Awaited<ReturnType<typeof terminalOpener>>) {
    this.#options = options;
    this.#mode = options.mode ?? AccessMode.cmuxOnly;
    this.#cliPath = `${options.socketPath}.cli`;
    this.#faults = new Faults(options.faults ?? {}, options.seed ?? 1);
    this.#version = cmuxVersion(options.version ?? NEWEST_CMUX);
    this.#app = new CmuxApp(this.#version, {
      open,
      home: options.home ?? options.environment?.['HOME'] ?? homedir(),
      environment: options.environment ?? { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir(), LANG: 'C.UTF-8' },
      appVariables: () => this.#appVariables(),
    });
    this.#watch = new ConductWatch(this.#app);
  }

  async begin(): Promise<FakeCmux> {
    mkdirSync(dirname(this.#options.socketPath), { recursive: true });
    this.#writeCli();
    await this.#listen();
    return {
      app: this.#app,
      person: personAt(this.#app),
      environment: () => this.#environment(),
      requests: () => this.#watch.requests,
      conduct: () => this.#watch.conduct(),
      setFaults: (changes) => this.#faults.set(changes),
      dropNext: (method) => this.#faults.dropNext(method),
      setMode: (mode) => this.#setMode(mode),
      relaunch: (pauseMs) => this.#relaunch(pauseMs ?? 0),
      close: () => this.#close(),
    };
  }

  async #listen(): Promise<void> {
    if (this.#mode === AccessMode.off) return;
    const { socketPath, isRelayed, home } = this.#options;
    const parts = this.#parts();
    rmSync(socketPath, { force: true });
    if (this.#mode === AccessMode.stale) return leaveStaleSocket(socketPath);
    this.#servers = [await listening(socketPath, (socket) => this.#accept(socket, parts))];
    if (home !== undefined) leaveMarker(home, this.#version.text, socketPath);
    chmodSync(socketPath, this.#mode === AccessMode.allowAll ? 0o666 : 0o600);
    if (isRelayed !== true) return;
    const relay = await listening(0, (socket) => {
      guardRelay(socket, this.#relay, (rest) => {
        this.#accept(socket, parts);
        if (rest !== '') socket.emit('data', rest);
      });
    });
    const address = relay.address();
    this.#relay.port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#servers.push(relay);
  }

  #accept(socket: Socket, parts: ServerParts): void {
    const connection = new Connection(socket, parts);
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }

  #parts(): ServerParts {
    const app = this.#app;
    return {
      app,
      methods: methodsOf(app.version),
      around: {
        socketPath: this.#options.socketPath,
        cliPath: this.#cliPath,
        accessMode: () => (this.#mode === AccessMode.deny ? AccessMode.cmuxOnly : this.#mode),
      },
      faults: this.#faults,
      watch: this.#watch,
      access: () => this.#access(),
      random: seededRandom(this.#options.seed ?? 1),
    };
  }

  #access(): AccessFacts {
    return {
      mode: this.#mode,
      version: this.#version,
      password: this.#options.password ?? null,
      capabilityToken: this.#token,
      isLocalised: this.#options.isLocalised === true,
    };
  }

  #appVariables(): Readonly<Record<string, string>> {
    return {
      CMUX_SOCKET_PATH: this.#options.socketPath,
      CMUX_SOCKET: this.#version.hasCapability ? '' : this.#options.socketPath,
      CMUX_BUNDLE_ID: 'com.cmuxterm.app',
      CMUX_BUNDLED_CLI_PATH: this.#cliPath,
      ...(this.#version.hasCapability ? { CMUX_SOCKET_CAPABILITY: this.#token } : {}),
    };
  }

  #environment(): Readonly<Record<string, string>> {
    const workspace = this.#app.active.selected;
    const surface = focusedSurfaceOf(workspace);
    return {
      ...this.#appVariables(),
      CMUX_WORKSPACE_ID: workspace.id,
      CMUX_TAB_ID: workspace.id,
      CMUX_SURFACE_ID: surface.id,
      CMUX_PANEL_ID: surface.id,
      ...(this.#relay.port === 0
        ? {}
        : {
            CMUX_SOCKET_PATH: `127.0.0.1:${this.#relay.port}`,
            CMUX_RELAY_ID: this.#relay.id,
            CMUX_RELAY_TOKEN: this.#relay.token,
          }),
    };
  }

  async #setMode(mode: AccessMode): Promise<void> {
    this.#mode = mode;
    for (const connection of this.#connections) connection.revoke();
    await this.#stopListening();
    await this.#listen();
  }

  async #relaunch(pauseMs: number): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.#stopListening();
    this.#token = newToken();
    this.#app.relaunch();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await this.#listen();
  }

  async #close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.#stopListening();
    this.#app.quit();
    rmSync(this.#cliPath, { force: true });
    rmSync(this.#options.socketPath, { force: true });
  }

  async #stopListening(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** The socket tells no version; the app's command line does, without a socket. */
  #writeCli(): void {
    const script = `#!/bin/sh\n[ "$1" = --version ] || { echo "this is a fake: only --version" >&2; exit 2; }\necho 'cmux ${this.#version.text} (102) [fake00000]'\n`;
    writeFileSync(this.#cliPath, script, { mode: 0o755 });
  }
}

/** A file of a socket at which nobody listens. Closing a server takes its file along, wherever that has not been moved. */
async function leaveStaleSocket(path: string): Promise<void> {
  const server = await listening(path, (socket) => socket.destroy());
  renameSync(path, `${path}.left`);
  await new Promise((resolve) => server.close(resolve));
  renameSync(`${path}.left`, path);
}

/** As the app makes them: `v1.` and two parts. */
function newToken(): string {
  return `v1.${randomBytes(12).toString('base64url')}.${randomBytes(24).toString('base64url')}`;
}

function listening(at: string | number, onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onSocket);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const onListening = (): void => resolve(server);
    if (typeof at === 'string') server.listen(at, onListening);
    else server.listen(at, '127.0.0.1', onListening);
  });
}
