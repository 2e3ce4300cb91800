/**
 * A version of the app, as far as what it does differs between versions (facts: the app's change log, seen 2026-08). Two entries
 * of it have no switch, since they changed the app's own command line and not its socket: `--window` (0.64.8), and that `send` and
 * `read-screen` stopped adding the caller's workspace to a surface that was named (0.64.17, its pull request 6605).
 */
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
  /** `events.stream` (from 0.64.0). */
  readonly hasEvents: boolean;
  /** Replies name the group that a workspace is in (from 0.64.11). */
  readonly hasGroups: boolean;
  /** It listens below `~/.local/state/cmux` (from 0.64.13); before, below `~/Library/Application Support/cmux`. */
  readonly listensInStateFolder: boolean;
  /** Rows of workspaces tell a title that somebody gave from one that came by itself (from 0.64.16). */
  readonly tellsCustomTitles: boolean;
  /** What is closed or respawned is what is named (from 0.64.22); before, a ref that is gone meant the focused surface. */
  readonly closesOnlyWhatIsNamed: boolean;
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
    hasEvents: from(0),
    hasGroups: from(11),
    listensInStateFolder: from(13),
    tellsCustomTitles: from(16),
    closesOnlyWhatIsNamed: from(22),
    hasPaste: from(22),
    hasInputState: from(23),
  };
}
