import type { DispatchRecord, RunManifest, UnauditedRecord, Unreadable } from '@bailiwick/dispatch-state';

/** All that a run's report is made from. */
export interface ReportFacts {
  readonly manifest: RunManifest;
  readonly records: readonly DispatchRecord[];
  readonly unaudited: readonly UnauditedRecord[];
  /** Records that can't be read: the report says which attempts it lacks. */
  readonly unreadable: readonly Unreadable[];
  /** Null where the copy of the task can't be read. */
  readonly taskText: string | null;
  /** The finished report of the report writer; null where there is none. */
  readonly reportText: string | null;
  /** Of the tree as it is now: what verdicts are held against (ST-8); null where it can't be had. */
  readonly sourceDigest: string | null;
  readonly madeAt: Date;
  /** Name and version of what makes it. */
  readonly madeBy: string;
}
