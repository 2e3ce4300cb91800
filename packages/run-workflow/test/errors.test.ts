import { describe, expect, it } from 'vitest';
import { isRunError, RunError, RunErrorCode } from '../src/index.ts';

describe('the errors of this package', () => {
  it('have these codes', () => {
    expect(Object.values(RunErrorCode).sort()).toEqual([
      'ANCHOR_INVALID',
      'APPLY_CONFLICT',
      'BARE_REPOSITORY',
      'COMMAND_NOT_STARTED',
      'CONFIG_EXISTS',
      'CONFIG_INVALID',
      'CONFIG_MISSING',
      'GIT_FAILED',
      'GIT_MISSING',
      'JOBS_FILE_INVALID',
      'KEY_UNREADABLE',
      'NOTHING_TO_APPLY',
      'NOT_A_REPOSITORY',
      'NO_AGENT_FOUND',
      'NO_COMMIT',
      'POLICY_FILE_INVALID',
      'POLICY_MISSING',
      'PROJECT_MISSING',
      'PROJECT_PATH_UNSUPPORTED',
      'REPORT_MISSING',
      'RUN_AMBIGUOUS',
      'RUN_NOT_SOUND',
      'RUN_STOPPED',
      'RUN_UNFINISHED',
      'RUN_UNKNOWN',
      'SARIF_UNWRITABLE',
      'TASK_EMPTY',
      'TASK_MISSING',
      'TASK_UNREADABLE',
      'WORKTREE_GONE',
    ]);
  });

  it('are recognised when they come from another installed copy, and only then', () => {
    const brand = Symbol.for('@bailiwick/run-workflow/RunError');
    const foreign = Object.defineProperty(new Error('of another copy'), brand, { value: true });
    expect([isRunError(foreign), foreign instanceof RunError, isRunError(new Error('x')), isRunError(null)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('keep their cause, and have no field that nobody gave', () => {
    const cause = new Error('git');
    const error = new RunError('GIT_FAILED', 'git failed', { cause });
    expect([error.cause, ['path', 'hint', 'names'].filter((field) => field in error)]).toEqual([cause, []]);
  });
});
