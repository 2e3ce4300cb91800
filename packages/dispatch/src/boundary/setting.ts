import type { BoundaryTest, LayerQuestion, LayerTest } from '@bailiwick/process-supervision';

/**
 * Whether workers get an operating-system boundary. `auto`: where the machine can. `required`: nothing is dispatched
 * without. `off`: never.
 */
export const BoundaryMode = { auto: 'auto', required: 'required', off: 'off' } as const;
export type BoundaryMode = (typeof BoundaryMode)[keyof typeof BoundaryMode];

/** What dispatching knows of boundaries on this machine. */
export interface BoundarySetting {
  readonly mode: BoundaryMode;
  /** Tries it, once however often it is asked. */
  readonly test: () => Promise<BoundaryTest>;
  /** Tries whether an overlay can lie over a work tree, once for each. */
  readonly testLayer: (question: Pick<LayerQuestion, 'program' | 'worktree'>) => Promise<LayerTest>;
  /** Where attempts get a folder of their own; absolute, outside every project and every temporary folder. */
  readonly attemptsFolder: string;
  /** The user's HOME, absolute. */
  readonly userHome: string;
  /** Folders that no worker is to see into, absolute; missing ones count for nothing. */
  readonly hidden: readonly string[];
}
