/** Whether a process carries the fence that is looked for, another one, or none that can be read. */
export type FenceMark = 'ours' | 'foreign' | 'none';

/** One process as the operating system lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Null where the system doesn't tell (macOS prints a pointer). */
  readonly sessionId: number | null;
  /** When it started, in the system's own unit: with the pid, it names one process of this boot. */
  readonly startTicks: string;
  /** A zombie or a dead entry: it runs nothing any more. */
  readonly isDead: boolean;
  readonly fence: FenceMark;
}

/** One process as it was listed for whoever looks: its mark depends on the fence that is looked for. */
export type ListedProcess = ProcessStat & { readonly markFor: (fence: string) => FenceMark };

/** Without the environment, which costs more to read than all the rest. */
export type ProcessStat = Omit<ProcessRow, 'fence'>;
