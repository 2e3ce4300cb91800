import { describe, expect, it, vi } from 'vitest';
import { AssignmentError, AssignmentErrorCode, isAssignmentError } from '../src/index.ts';

describe('AssignmentError', () => {
  it('has exactly these codes', () => {
    expect(Object.values(AssignmentErrorCode)).toEqual([
      'MODEL_REF_INVALID',
      'MODEL_UNKNOWN',
      'MODEL_AMBIGUOUS',
      'MODEL_POOL_ROW_INVALID',
      'MODEL_NOT_ON_HOST',
      'PROVIDER_NOT_INSTALLED',
      'PROVIDER_UNSUPPORTED',
      'NO_WORKER_BINDING',
      'ROLE_NOT_ALLOWED',
      'RUNNER_NOT_DISPATCHABLE',
      'HOST_CONTEXT_INVALID',
      'BINDING_NO_LONGER_STANDS',
      'SERVED_MODEL_SOURCE_UNREACHABLE',
    ]);
  });

  it('passes its cause on', () => {
    const cause = new Error('below');
    const error = new AssignmentError('MODEL_UNKNOWN', 'no such model', { details: {}, hint: 'look', cause });
    expect(error).toMatchObject({ name: 'AssignmentError', cause, hint: 'look' });
  });

  it('is recognised when another copy of the package made it', async () => {
    // A second evaluation of the module stands for a second installed copy: other classes, same registered symbol.
    vi.resetModules();
    const other = await import('../src/index.ts');
    const foreign = new other.AssignmentError('MODEL_UNKNOWN', 'from elsewhere', { details: {}, hint: '' });
    expect(other.AssignmentError).not.toBe(AssignmentError);
    expect(isAssignmentError(foreign)).toBe(true);
    expect(foreign instanceof AssignmentError).toBe(true);
  });

  it('is not seen in other errors and values', () => {
    const others = [new Error('x'), { code: 'MODEL_UNKNOWN' }, null, undefined, 'MODEL_UNKNOWN'];
    expect(others.filter((other) => isAssignmentError(other))).toEqual([]);
  });
});
