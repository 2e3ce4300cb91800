import { describe, expect, it, vi } from 'vitest';
import { DispatchStateError, DispatchStateErrorCode, isDispatchStateError } from '../src/index.ts';

describe('DispatchStateError', () => {
  it('has exactly these codes', () => {
    expect(Object.values(DispatchStateErrorCode)).toEqual([
      'RUN_MISSING',
      'RUN_EXISTS',
      'RECORD_MISSING',
      'ATTEMPT_ALREADY_CLAIMED',
      'INVOCATION_DIFFERS',
      'RECORD_IDENTITY_DISAGREES',
      'TERMINAL_RESULT_DRIFT',
      'TRANSITION_REFUSED',
      'TASK_KEY_DIFFERS',
      'LOG_ROW_INVALID',
    ]);
  });

  it('passes its cause and its facts on, and has no key for a fact that does not apply', () => {
    const cause = new Error('below');
    const error = new DispatchStateError('RUN_EXISTS', 'there already', { path: '/runs/r-1', cause });
    expect(error).toMatchObject({ name: 'DispatchStateError', message: 'there already', path: '/runs/r-1', cause });
    expect(Object.keys(error)).not.toContain('hint');
  });

  it('is recognised when another copy of the package made it', async () => {
    // A second evaluation of the module stands for a second installed copy: other classes, same registered symbol.
    vi.resetModules();
    const other = await import('../src/index.ts');
    const foreign = new other.DispatchStateError('RUN_MISSING', 'from elsewhere');
    expect(other.DispatchStateError).not.toBe(DispatchStateError);
    expect(isDispatchStateError(foreign)).toBe(true);
    expect(foreign instanceof DispatchStateError).toBe(true);
  });

  it('is not seen in other errors and values', () => {
    const others = [new Error('x'), { code: 'RUN_MISSING' }, null, undefined, 'RUN_MISSING'];
    expect(others.filter((other) => isDispatchStateError(other))).toEqual([]);
  });
});
