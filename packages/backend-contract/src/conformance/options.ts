import type { WorkerBackend } from '../backend.ts';

/** What the suite needs to know about a backend under trial. */
export interface ConformanceOptions {
  /** A new backend, as a command makes one. The suite closes it. */
  readonly makeBackend: () => WorkerBackend | Promise<WorkerBackend>;
  /**
   * Program and arguments of a command that reads one supervision order (JSON) from its standard input, launches it
   * through a backend of the kind under trial and prints `ready` when `onReady` is called. It is killed then. Without
   * it B2 can't be tried, and doesn't hold.
   */
  readonly commandProgram?: readonly string[];
  /** Where a batch's supervisor listens; absent or null: nowhere. */
  readonly socketPathOf?: (batch: { readonly runDirectory: string; readonly batchId: string }) => string | null;
  /** How long a check waits for what a backend owes it; 30 s where absent. */
  readonly patienceMs?: number;
  /** Where the suite makes its runs; the system's temporary folder where absent. */
  readonly workFolder?: string;
  /** What the workers find on their PATH: `sh`, `sleep`, `setsid` and the like. */
  readonly path?: string;
}
