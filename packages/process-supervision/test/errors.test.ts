import { expect, it } from 'vitest';
import {
  FENCE_VARIABLE,
  isSupervisionError,
  SLOT_VARIABLE,
  SupervisionError,
  SupervisionErrorCode,
} from '../src/index.ts';

it('the codes and names that others rely on stay as they are', () => {
  expect(SupervisionErrorCode).toEqual({
    orderInvalid: 'ORDER_INVALID',
    liveLockHeld: 'LIVE_LOCK_HELD',
    socketUnreachable: 'SOCKET_UNREACHABLE',
    socketUnavailable: 'SOCKET_UNAVAILABLE',
    processesUnreadable: 'PROCESSES_UNREADABLE',
  });
  expect([FENCE_VARIABLE, SLOT_VARIABLE]).toEqual(['BAILIWICK_DISPATCH_ID', 'BAILIWICK_SLOT']);
});

it('an error of another installed copy is recognised, and nothing else is', () => {
  const brand = Symbol.for('@bailiwick/process-supervision/SupervisionError');
  expect(isSupervisionError({ [brand]: true })).toBe(true);
  const cause = new Error('below');
  const error = new SupervisionError('LIVE_LOCK_HELD', 'held', { path: '/p', hint: 'wait', cause });
  expect(error).toMatchObject({ code: 'LIVE_LOCK_HELD', path: '/p', hint: 'wait', cause });
  expect(isSupervisionError(new Error('held'))).toBe(false);
});
