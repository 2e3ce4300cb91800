import { AssignmentError } from '@bailiwick/assignment-resolution';
import { DispatchError, DispatchErrorCode } from '@bailiwick/dispatch';
import { DispatchStateError, DispatchStateErrorCode } from '@bailiwick/dispatch-state';
import { IdentityErrorCode } from '@bailiwick/execution-identity';
import { RunError, RunErrorCode } from '@bailiwick/run-workflow';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../src/error-report.ts';

function exitCodesOf(codes: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    codes.map((code) => [code, reportOf(Object.assign(new Error('it failed'), { code })).exitCode]),
  );
}

function failuresAmong(codes: readonly string[]): readonly string[] {
  const exitCodes = exitCodesOf(codes);
  expect(Object.values(exitCodes).every((code) => code === 1 || code === 2)).toBe(true);
  return codes.filter((code) => exitCodes[code] === 1).sort();
}

describe('the exit code of an error', () => {
  it('is 2 for every refusal to dispatch, and 1 for a batch that was broken off', () => {
    expect(failuresAmong(Object.values(DispatchErrorCode))).toEqual(['BATCH_ABORTED']);
  });

  it('is 2 for what is wrong with a request for a run, and 1 where git, the run or the project is not as it has to be', () => {
    expect(failuresAmong(Object.values(RunErrorCode))).toEqual(['APPLY_CONFLICT', 'GIT_FAILED', 'RUN_NOT_SOUND']);
  });

  it('is 2 for identities that do not fit, and for attempts that are claimed', () => {
    expect(failuresAmong(Object.values(IdentityErrorCode))).toEqual([]);
    expect(exitCodesOf([DispatchStateErrorCode.alreadyClaimed])).toEqual({ ATTEMPT_ALREADY_CLAIMED: 2 });
  });

  it('is 1 for what a machine fails at, and 2 for files that a request names and can’t be used', () => {
    const machine = ['DISK_FULL', 'IO_FAILED', 'LOCK_TIMEOUT', 'LAUNCH_FAILED', 'DOCUMENT_DAMAGED'];
    expect(failuresAmong(machine)).toEqual([...machine].sort());
    const request = [
      'DOCUMENT_NEWER_VERSION',
      'DOCUMENT_MISSING',
      'FILE_TOO_LARGE',
      'FILE_NOT_UTF8',
      'CONFIG_INVALID',
      'JOBS_FILE_INVALID',
    ];
    expect(failuresAmong(request)).toEqual([]);
  });

  it('is 2 for models that don’t resolve, and bindings that no longer stand', () => {
    expect(
      failuresAmong(['MODEL_UNKNOWN', 'PROVIDER_NOT_INSTALLED', 'BINDING_NO_LONGER_STANDS', 'BATCH_INCOMPATIBLE']),
    ).toEqual([]);
  });

  it('is 1 for a mistake of our own, which says so and what to do', () => {
    for (const thrown of [
      new TypeError('x is not a function'),
      'a string',
      undefined,
      Object.assign(new Error('y'), { code: 42 }),
    ])
      expect(reportOf(thrown)).toMatchObject({
        code: 'INTERNAL',
        exitCode: 1,
        hint: expect.stringContaining('--verbose'),
      });
  });
});

describe('the report of an error', () => {
  it('says what, where and what to do, and keeps names among the details', () => {
    const error = new RunError('RUN_AMBIGUOUS', 'two runs are unfinished', {
      path: '/shop',
      hint: 'name one',
      names: ['a', 'b'],
    });
    expect(reportOf(error)).toEqual({
      code: 'RUN_AMBIGUOUS',
      message: 'two runs are unfinished',
      path: '/shop',
      hint: 'name one',
      details: { names: ['a', 'b'] },
      exitCode: 2,
    });
  });

  it('has no field that the error lacks, or that says nothing', () => {
    expect(Object.keys(reportOf(new DispatchError('ROSTER_EMPTY', 'nobody')))).toEqual(['code', 'message', 'exitCode']);
    expect(reportOf(Object.assign(new Error('x'), { code: 'X', hint: '', path: 7 }))).toEqual({
      code: 'X',
      message: 'x',
      exitCode: 2,
    });
  });

  it('reads the errors of every package alike', () => {
    const errors = [
      new DispatchStateError('RUN_MISSING', 'no run', { path: '/r', hint: 'list them' }),
      new AssignmentError('MODEL_UNKNOWN', 'no model', { details: { modelRef: 'claude/x' }, hint: 'list them' }),
    ];
    expect(errors.map(reportOf)).toMatchObject([
      { code: 'RUN_MISSING', path: '/r', hint: 'list them' },
      { code: 'MODEL_UNKNOWN', hint: 'list them', details: { details: { modelRef: 'claude/x' } } },
    ]);
  });
});
