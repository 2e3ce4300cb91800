/** A version of the app, as far as what it does differs between versions (facts: the app's change log, seen 2026-08). */
export interface CmuxVersion {
  /** As `cmux --version` prints it. */
  readonly text: string;
  /** The capability prefix of a line is understood (from 0.64.18). */
  readonly hasCapability: boolean;
  /** A denied client is told at once, before it has sent anything (to 0.63). */
  readonly deniesAtAccept: boolean;
  /** `surface.split` takes a folder, a command and an environment, and leaves focus alone unless asked (from 0.64.0). */
  readonly splitIsNeutral: boolean;
  /** `workspace.create` says which surface it made, and honours `operation_id` (from 0.64.0). */
  readonly createNamesSurface: boolean;
  /** A terminal that nobody has looked at yet has a shell (to 0.63, and from 0.64.7). */
  readonly startsInBackground: boolean;
  /** Closing the last workspace of a window closes the window (from 0.64.18); before, it does nothing and says ok. */
  readonly lastWorkspaceClosesWindow: boolean;
  /** Workspaces keep their UUIDs over a relaunch (from 0.64.21). */
  readonly workspaceIdsSurvive: boolean;
  /** An explicit surface of another workspace is found (from 0.64.17). */
  readonly routesAcrossWorkspaces: boolean;
  /** `terminal.paste` on the local socket (seen in 0.64.22). */
  readonly hasPaste: boolean;
  /** `surface.input_state` and `initial_input` (from 0.64.23). */
  readonly hasInputState: boolean;
}

/** The newest that anything is known of; `new` on the command line. */
export const NEWEST_CMUX = '0.64.25';

/** What a version does. Throws RangeError for what is no version. */
export function cmuxVersion(text: string): CmuxVersion {
  const named = text === 'new' ? NEWEST_CMUX : text;
  const [, major = '', minor = '', patch = '0'] = /^(\d+)\.(\d+)(?:\.(\d+))?$/.exec(named) ?? [];
  if (major === '') throw new RangeError(`"${text}" is no version of cmux: 0.63, 0.64.17, new`);
  const number = (Number(major) * 1_000 + Number(minor)) * 1_000 + Number(patch);
  const from = (minimumPatch: number): boolean => number >= 64_000 + minimumPatch;
  return {
    text: `${major}.${minor}.${patch}`,
    hasCapability: from(18),
    deniesAtAccept: !from(0),
    splitIsNeutral: from(0),
    createNamesSurface: from(0),
    startsInBackground: !from(0) || from(7),
    lastWorkspaceClosesWindow: from(18),
    workspaceIdsSurvive: from(21),
    routesAcrossWorkspaces: from(17),
    hasPaste: from(22),
    hasInputState: from(23),
  };
}
