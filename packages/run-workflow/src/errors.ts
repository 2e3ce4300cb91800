/** Why something about a run can't be done. */
export const RunErrorCode = {
  gitMissing: 'GIT_MISSING',
  gitFailed: 'GIT_FAILED',
  notARepository: 'NOT_A_REPOSITORY',
  bareRepository: 'BARE_REPOSITORY',
  noCommit: 'NO_COMMIT',
  projectMissing: 'PROJECT_MISSING',
  projectPathUnsupported: 'PROJECT_PATH_UNSUPPORTED',
  configMissing: 'CONFIG_MISSING',
  configExists: 'CONFIG_EXISTS',
  configInvalid: 'CONFIG_INVALID',
  noAgentFound: 'NO_AGENT_FOUND',
  taskMissing: 'TASK_MISSING',
  taskEmpty: 'TASK_EMPTY',
  taskUnreadable: 'TASK_UNREADABLE',
  runUnknown: 'RUN_UNKNOWN',
  runAmbiguous: 'RUN_AMBIGUOUS',
  runStopped: 'RUN_STOPPED',
  runUnfinished: 'RUN_UNFINISHED',
  runNotSound: 'RUN_NOT_SOUND',
  nothingToApply: 'NOTHING_TO_APPLY',
  applyConflict: 'APPLY_CONFLICT',
  worktreeGone: 'WORKTREE_GONE',
  reportMissing: 'REPORT_MISSING',
  jobsFileInvalid: 'JOBS_FILE_INVALID',
  keyUnreadable: 'KEY_UNREADABLE',
  anchorInvalid: 'ANCHOR_INVALID',
  policyMissing: 'POLICY_MISSING',
  sarifUnwritable: 'SARIF_UNWRITABLE',
  policyFileInvalid: 'POLICY_FILE_INVALID',
  commandNotStarted: 'COMMAND_NOT_STARTED',
} as const;
export type RunErrorCode = (typeof RunErrorCode)[keyof typeof RunErrorCode];

const BRAND = Symbol.for('@bailiwick/run-workflow/RunError');

/** What an error may add to its code and message; a field that says nothing is absent. */
export interface RunErrorFields {
  readonly path?: string;
  readonly hint?: string;
  readonly names?: readonly string[];
  readonly cause?: unknown;
}

/** An error about a run or its project; recognised across installed copies by its brand. */
export class RunError extends Error {
  readonly code: RunErrorCode;
  declare readonly path?: string;
  declare readonly hint?: string;
  declare readonly names?: readonly string[];

  constructor(code: RunErrorCode, message: string, fields: RunErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'RunError';
    this.code = code;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    if (fields.names !== undefined) this.names = fields.names;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for an error of this package, of any installed copy of it. */
export function isRunError(value: unknown): value is RunError {
  return value instanceof RunError;
}
