import { type CmuxVersion, isSupported, OLDEST_SUPPORTED, versionText } from './version.ts';

/** Where a process stands towards the app. */
export const StandingKind = {
  /** Started in a terminal of the app, which answers and knows that terminal. */
  usable: 'usable',
  /** Not started in it, but let in: usable where the user asks for it. */
  outside: 'outside',
  /** The app answers and doesn't know the terminal any more: it was started anew. */
  staleIds: 'stale-ids',
  notInCmux: 'not-in-cmux',
  /** The environment was taken away, as the app's own wrapper of an agent does. */
  stripped: 'stripped',
  otherCmux: 'other-cmux',
  /** A sandbox stands between (CX-4). */
  walledOff: 'walled-off',
  /** The app has gone, or its socket was switched off. */
  stale: 'stale',
  denied: 'denied',
  passwordNeeded: 'password-needed',
  unresponsive: 'unresponsive',
  tooOld: 'too-old',
  notUnderstood: 'not-understood',
} as const;
export type StandingKind = (typeof StandingKind)[keyof typeof StandingKind];

/** What came of connecting and asking. */
export type ContactOutcome =
  | { readonly kind: 'not-tried' }
  | { readonly kind: 'failed'; readonly systemCode: string }
  | { readonly kind: 'denied' | 'password-needed' | 'unresponsive' | 'not-understood'; readonly message: string }
  | { readonly kind: 'answered'; readonly isCallerKnown: boolean; readonly version: CmuxVersion | undefined };

/** What the environment says. */
export interface EnvironmentSigns {
  /** Ids of workspace and surface are both there. */
  readonly hasIds: boolean;
  readonly isSandboxed: boolean;
  readonly isOtherCmux: boolean;
  /** The application that started all this is the app, though no id is left. */
  readonly isStripped: boolean;
  /** Another multiplexer runs inside the terminal. */
  readonly multiplexer: string | null;
}

export interface Standing {
  readonly kind: StandingKind;
  /** What is so, for a person and for the record. */
  readonly reason: string;
  /** What to do about it; empty where nothing is wrong. */
  readonly advice: string;
  readonly version: CmuxVersion | undefined;
}

const FROM_SANDBOX: ReadonlySet<string> = new Set(['EPERM', 'EACCES']);

/** The decision, from signs and outcome alone. */
export function decideStanding(signs: EnvironmentSigns, outcome: ContactOutcome): Standing {
  const version = outcome.kind === 'answered' ? outcome.version : undefined;
  const kind = kindOf(signs, outcome);
  return { kind, version, reason: reasonOf(kind, outcome), advice: adviceOf(kind, signs) };
}

function kindOf(signs: EnvironmentSigns, outcome: ContactOutcome): StandingKind {
  if (signs.isOtherCmux && !signs.hasIds) return StandingKind.otherCmux;
  switch (outcome.kind) {
    case 'not-tried':
      return without(signs);
    case 'failed':
      return failed(signs, outcome.systemCode);
    case 'denied':
      return StandingKind.denied;
    case 'password-needed':
      return StandingKind.passwordNeeded;
    case 'unresponsive':
      return StandingKind.unresponsive;
    case 'not-understood':
      return StandingKind.notUnderstood;
    case 'answered':
      if (outcome.version !== undefined && !isSupported(outcome.version)) return StandingKind.tooOld;
      if (!signs.hasIds) return StandingKind.outside;
      return outcome.isCallerKnown ? StandingKind.usable : StandingKind.staleIds;
    default:
      return unreachable(outcome);
  }
}

function without({ isStripped, hasIds }: EnvironmentSigns): StandingKind {
  if (isStripped) return StandingKind.stripped;
  return hasIds ? StandingKind.stale : StandingKind.notInCmux;
}

function failed(signs: EnvironmentSigns, systemCode: string): StandingKind {
  if (!signs.hasIds) return without(signs);
  // A sandbox may also hide the file, so that it seems not to be there.
  return FROM_SANDBOX.has(systemCode) || signs.isSandboxed ? StandingKind.walledOff : StandingKind.stale;
}

function reasonOf(kind: StandingKind, outcome: ContactOutcome): string {
  const code = outcome.kind === 'failed' ? outcome.systemCode : '';
  const version = outcome.kind === 'answered' && outcome.version !== undefined ? versionText(outcome.version) : '';
  const reasons: Readonly<Record<StandingKind, string>> = {
    usable: `inside cmux${version === '' ? '' : ` ${version}`}`,
    outside: 'cmux answers, but this is no terminal of it',
    'stale-ids': 'cmux was started anew and does not know this terminal any more',
    'not-in-cmux': 'not inside cmux',
    stripped: 'started by cmux, but its variables were taken out of the environment',
    'other-cmux': 'inside cmux-tui, another program of that name',
    'walled-off': `a sandbox stands between this process and the socket of cmux (${code})`,
    stale: `cmux is not there any more${code === '' ? '' : ` (${code})`}, or its socket is switched off`,
    denied: 'cmux does not let this process in',
    'password-needed': 'cmux wants a password',
    unresponsive: 'cmux accepts connections and does not answer',
    'too-old': `cmux ${version} is older than ${versionText(OLDEST_SUPPORTED)}, the first whose background terminals can be driven`,
    'not-understood': 'what listens at the socket of cmux speaks another protocol',
  };
  return reasons[kind];
}

const TO_AUTOMATION = 'set automation.socketControlMode to "automation" in ~/.config/cmux/cmux.json';

function adviceOf(kind: StandingKind, { multiplexer }: EnvironmentSigns): string {
  const advices: Readonly<Record<StandingKind, string>> = {
    usable: multiplexer === null ? '' : `panes open in cmux, not in ${multiplexer}`,
    outside: 'run it in a terminal of cmux, or allow a workspace of its own with --own-workspace',
    'stale-ids': 'open a new terminal in cmux, or allow a workspace of its own with --own-workspace',
    'not-in-cmux': 'run it in a terminal of cmux to have workers in panes',
    stripped: 'run it in a terminal of cmux itself rather than below an agent',
    'other-cmux': 'run it in a terminal of the cmux app',
    'walled-off':
      "run it outside the sandbox; don't open the socket to a sandboxed agent, which could then type into any terminal",
    stale: `start cmux and open a new terminal in it; where its socket is off, ${TO_AUTOMATION}`,
    denied: `open a new terminal in cmux and run it there, or ${TO_AUTOMATION}`,
    'password-needed': 'set CMUX_SOCKET_PASSWORD to the password of its settings',
    unresponsive: 'look whether the app hangs; restart it if it stays so',
    'too-old': 'update cmux',
    'not-understood': 'unset CMUX_SOCKET_PATH, or let it name the socket of the cmux app',
  };
  return advices[kind];
}

function unreachable(outcome: never): never {
  throw new TypeError(`unknown outcome: ${JSON.stringify(outcome)}`);
}
