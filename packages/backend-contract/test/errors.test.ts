import { expect, it } from 'vitest';
import { BackendError, BackendErrorCode, isBackendError, Liveness, STOPPED_AS_LOST, Support } from '../src/index.ts';

it('the words of the contract stay as they are', () => {
  expect(BackendErrorCode).toEqual({
    launchFailed: 'LAUNCH_FAILED',
    unsupported: 'BACKEND_UNSUPPORTED',
    unavailable: 'BACKEND_UNAVAILABLE',
    walledOff: 'BACKEND_WALLED_OFF',
  });
  expect(Object.values(Liveness)).toEqual(['alive', 'ended', 'gone', 'unknown']);
  expect(Object.values(Support)).toEqual(['native', 'advisory', 'absent']);
  expect(STOPPED_AS_LOST).toBe('lost');
});

it('an error of another installed copy is recognised, and nothing else is', () => {
  expect(isBackendError({ [Symbol.for('@bailiwick/backend-contract/BackendError')]: true })).toBe(true);
  const cause = new Error('below');
  expect(new BackendError('LAUNCH_FAILED', 'no', { hint: 'again', cause })).toMatchObject({
    code: 'LAUNCH_FAILED',
    hint: 'again',
    cause,
  });
  expect(isBackendError(new Error('no'))).toBe(false);
});
