import type { Subject } from '../crash/subject.ts';
import type { ProjectOptions } from '../project/temp-project.ts';

/** Something that goes wrong, with its defined outcome. */
export interface Fault {
  readonly name: string;
  /** What has to come of it, in words. */
  readonly outcome: string;
  readonly project?: ProjectOptions;
  /** Why it can't be tried here, or undefined where it can. */
  readonly obstacle?: () => Promise<string | undefined>;
  /** Brings it about in a run of which nothing was dispatched yet; gives what differs from the outcome. */
  readonly run: (subject: Subject) => Promise<readonly string[]>;
}

/** What became of a fault that was tried, or why it wasn't. */
export interface FaultResult {
  readonly fault: string;
  readonly outcome: string;
  /** False too where it couldn't be tried. */
  readonly holds: boolean;
  readonly why: readonly string[];
  /** Null where it was tried. */
  readonly skipped: string | null;
}
