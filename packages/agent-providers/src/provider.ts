import type { AgentStreamReader, AgentTurn } from './observation.ts';

/** How precisely a wall can be drawn around the program's writes. */
export type BoundaryPrecision = 'none' | 'worktree' | 'directory' | 'file';

/** The dialect in which the program talks to its model server. */
export type WireDialect = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'google-generate-content';

/** A model server that the program is pointed at instead of its own: a gateway, or a fake one. */
export interface ModelEndpoint {
  /** Root of the server, without `/v1` and without a trailing slash; it may have a path. */
  readonly url: string;
  /** What the program sends as its key. A gateway replaces it, so that the real key never reaches the agent. */
  readonly apiKey: string;
}

/** What one attempt wants of the program. Paths are absolute. */
export interface AgentCommandRequest {
  /** Replaces the program and its leading arguments; the provider's own flags are appended to it. */
  readonly command?: readonly string[];
  readonly model: string;
  /** A new id where `session` is `flag`, else the empty string. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly promptPath: string;
  /** Folders outside `cwd` that the agent must be able to write. */
  readonly writeRoots: readonly string[];
  readonly role: string;
  /** False asks for a run that changes nothing, by the program's own means. */
  readonly unattendedWrites: boolean;
  /** Where given, the program talks to this server only. Refused by a provider whose `endpoint` is null. */
  readonly endpoint?: ModelEndpoint;
  /** Switches the program's own sandbox on or off where `writeCapability.ownSandbox` is true; absent: the provider's default. */
  readonly ownSandbox?: boolean;
}

/** What is to run in the program's own sandbox. Paths are absolute. */
export interface SandboxedRequest extends Pick<AgentCommandRequest, 'command' | 'cwd' | 'writeRoots'> {
  /** Program and arguments. */
  readonly argv: readonly string[];
}

/** A file that must exist below the program's HOME before it starts; only ever asked for together with an endpoint. */
export interface HomeFile {
  /** Relative to HOME, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What to start. No shell is involved, and the prompt is never among the arguments. */
export interface AgentCommand {
  readonly argv: readonly [string, ...string[]];
  /** To be set over what is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** To be removed from what is inherited, before `env` is set. */
  readonly unsetEnv: readonly string[];
  /** `prompt-file`: the bytes of the prompt file, then end of file. Never leave a pipe open: several programs wait for it. */
  readonly stdin:
    | { readonly kind: 'prompt-file' }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'none' };
  readonly homeFiles?: readonly HomeFile[];
}

/** Where files lie: below an absolute folder, by a glob: `*` is anything within one name, `**` any folders, `{a,b}` either. */
export interface FilePattern {
  readonly folder: string;
  readonly pattern: string;
}

/** The log of its session that the program keeps, in one file or several, for as far as it names the models that served (AR-9, AR-10). */
export interface AgentTranscript {
  /**
   * Where it lies, given the environment that the program ran with; undefined where that doesn't say. The session's id finds it: how the
   * program names the folder of a project is its own affair.
   */
  placeOf(ranWith: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly sessionId: string;
  }): FilePattern | undefined;
  /** A fresh reader for one file. */
  reader(): TranscriptReader;
}

/** Reads one transcript. Never throws, whatever the bytes; how they are cut into chunks changes nothing. */
export interface TranscriptReader {
  /** Takes a chunk, which may be reused by the caller afterwards; gives the turns that it shows. */
  push(chunk: Uint8Array): readonly AgentTurn[];
  /** The file is over. */
  end(): readonly AgentTurn[];
}

/** Everything that must be known about one agent program. Facts were observed with the version in `observedVersion`. */
export interface AgentProvider {
  readonly id: string;
  readonly displayName: string;
  /** The executable, looked up on PATH. Empty where only a declared command will do (`custom`). */
  readonly program: string;
  /** Arguments that make it print its version and exit; null where unknown. */
  readonly versionArgs: readonly string[] | null;
  readonly observedVersion: string | null;
  /** The npm package that installs it. */
  readonly npmPackage: string | null;

  readonly promptDelivery: 'stdin' | 'file-line';
  /** A larger prompt is refused before launch, since the program would fail on it, or do nothing, silently. */
  readonly maxPromptBytes: number;

  /** `flag`: it takes our id. `reported`: it makes its own and says it. `none`: there is no id. */
  readonly session: 'flag' | 'reported' | 'none';
  /** What giving an id that was used before does. */
  readonly repeatedSession: 'refused' | 'continues' | 'not-applicable';
  /** How the model is chosen. */
  readonly modelBy:
    | { readonly kind: 'flag'; readonly flag: string }
    | { readonly kind: 'environment'; readonly variable: string }
    | { readonly kind: 'none' };

  readonly writeCapability: {
    /** What the program's own sandbox can hold; `none` where it has no real one. */
    readonly maxBoundaryPrecision: BoundaryPrecision;
    /** It has a sandbox of the operating system, which holds shells too. */
    readonly ownSandbox: boolean;
    /** Whether that sandbox is in force when the request doesn't say. */
    readonly ownSandboxByDefault: boolean;
    /** What was seen to go through, and what the sandbox needs. */
    readonly remarks: readonly string[];
  };

  readonly environment: {
    /** Variables it has a use for: passed on where present. */
    readonly needs: readonly string[];
    /** Those of `needs` that hold a credential; not inherited when an endpoint is given. */
    readonly keys: readonly string[];
    /** Variables it must not inherit. */
    readonly never: readonly string[];
    /** Variables that are always set. */
    readonly set: Readonly<Record<string, string>>;
  };

  readonly streamFormat: 'json-lines' | 'text';
  /** The best source, short of a gateway, that shows the model that really served (AR-10). */
  readonly servedModelSource: 'stream' | 'transcript' | 'none';
  readonly usageSource: 'stream' | 'none';
  /** Absent where it has none, or one that names no served model. */
  readonly transcript?: AgentTranscript;
  /** How it can be pointed at a gateway; null where it can't. */
  readonly endpoint: { readonly dialect: WireDialect } | null;

  readonly endEvidence: 'stream' | 'exit-code';
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  /** How it takes signals, and what is left behind. */
  readonly leftovers: readonly string[];

  readonly home: {
    /** Whether it runs with a fresh HOME, once the login below is bound into it. */
    readonly privateHome: boolean;
    /** Variable that moves its folder away from HOME. */
    readonly variable: string | null;
    /** Files below HOME that hold its login. To be bound, never copied: a copy breaks the rotation of tokens. */
    readonly loginPaths: readonly string[];
    readonly remarks: readonly string[];
  };

  /** Hosts it contacts on its own, besides its model server, when started as `command` says. */
  readonly networkAttempts: readonly string[];

  /** Limits that suit it, where the usual ones don't. */
  readonly defaultLimits?: { readonly hardMs?: number; readonly idleMs?: number };

  /** Pure. Throws ProviderError REQUEST_INVALID for a request that the program would misread. */
  command(request: AgentCommandRequest): AgentCommand;
  /**
   * The command that runs another one, in `cwd`, in the sandbox that the program has for its own shells, drawn as
   * `command` draws it, and calls no model. Absent where the program has no such way.
   */
  sandboxed?(request: SandboxedRequest): readonly string[];
  /** A fresh reader for one attempt. */
  reader(): AgentStreamReader;
}
