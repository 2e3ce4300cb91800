import type { AccessMode } from './access.ts';
import type { FaultSettings } from './faults.ts';

/** How a fake cmux is to be. */
export interface FakeCmuxOptions {
  /** Where it listens; a short path, since a socket's name has about a hundred bytes. */
  readonly socketPath: string;
  /** `0.63`, `0.64.17`, `new`, …; the newest where absent. */
  readonly version?: string;
  /** Who may talk to it; `cmuxOnly`, with every client taken for a descendant, where absent. */
  readonly mode?: AccessMode;
  /** What `auth` wants in mode `password`. */
  readonly password?: string;
  /** Messages in another language. */
  readonly isLocalised?: boolean;
  readonly faults?: Partial<FaultSettings>;
  /** Of the order of keys and of dropped replies. */
  readonly seed?: number;
  /** The environment that the app passes on to its terminals. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The account's home: what says where the app listens is left there, as its version does. */
  readonly home?: string;
  /** Listens on a TCP port of this machine too, in the form that remote workspaces use. */
  readonly isRelayed?: boolean;
}
