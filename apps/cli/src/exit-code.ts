/** The command line's exit codes; they are an interface. */
export const ExitCode = {
  done: 0,
  /** A worker failed, an audit found a violation, a check found a difference. */
  failed: 1,
  /** The request itself is wrong: nothing was started or changed. */
  refused: 2,
  timedOut: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
