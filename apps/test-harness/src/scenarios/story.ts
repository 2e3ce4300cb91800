import type { ProjectOptions, TempProject } from '../project/temp-project.ts';

/** Something that went wrong elsewhere and can't here: several commands, and what must be true when they have ended. */
export interface Story {
  readonly name: string;
  /** Numbers of the collected failures of comparable tools that this shows impossible. */
  readonly shows: readonly number[];
  readonly project?: ProjectOptions;
  /** What differs from the outcome; empty where it holds. */
  readonly run: (project: TempProject) => Promise<readonly string[]>;
}
