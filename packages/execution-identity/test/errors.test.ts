import { describe, expect, it } from 'vitest';
import { IdentityError, IdentityErrorCode, isIdentityError } from '../src/index.ts';

type ErrorsModule = typeof import('../src/errors.ts');

describe('identity errors', () => {
  it('have these codes, and no others', () => {
    expect(Object.values(IdentityErrorCode)).toEqual([
      'RUN_ID_INVALID',
      'TASK_KEY_INVALID',
      'WORKER_ID_INVALID',
      'PARTICIPANT_REF_INVALID',
      'ROLE_EXECUTION_REF_INVALID',
      'INVOCATION_REF_INVALID',
      'INVOCATION_ID_INVALID',
      'DISPATCH_ID_INVALID',
      'BATCH_ID_INVALID',
      'EXECUTION_LABEL_INVALID',
      'DUTY_ID_INVALID',
      'SESSION_ID_INVALID',
      'ATTEMPT_INVALID',
      'ROLE_INVALID',
      'AUDIENCE_INVALID',
      'DISPATCH_KIND_INVALID',
      'ASSIGNMENT_REF_INVALID',
      'ASSIGNMENT_INVALID',
      'INPUT_DIGEST_INVALID',
      'PATH_INVALID',
      'NOT_AN_OBJECT',
      'FIELD_MISSING',
      'FIELD_UNKNOWN',
      'NEWER_VERSION',
      'GENERATIONS_MIXED',
      'METADATA_MISSING',
      'METADATA_UNREADABLE',
      'INPUT_DIGEST_DISAGREES',
      'ATTEMPT_NOT_FIRST',
      'IDENTITY_INCOMPLETE',
      'ROLE_EXECUTION_UNKNOWN',
      'ROLE_EXECUTION_AMBIGUOUS',
      'PARTICIPANT_UNKNOWN',
      'PARTICIPANT_AMBIGUOUS',
      'PARTICIPANT_DISAGREES',
      'LABEL_DISAGREES',
      'AUDIENCE_ROLE_DISAGREES',
      'RETRY_ATTEMPT_WRONG',
      'RETRY_REF_DIFFERS',
      'RETRY_ID_NOT_NEW',
      'RETRY_DRIFTED',
      'RESERVATION_UNREADABLE',
      'RESERVATION_NONE',
      'RESERVATION_SEVERAL',
      'RESERVATION_DISAGREES',
      'RESERVATION_METADATA_V1',
      'RESERVATION_NOT_TRANSLATOR',
      'RESERVATION_NOT_BESIDE_PROMPT',
    ]);
  });

  it('of another loaded copy of this package are recognised, in both directions', async () => {
    // A query makes the loader evaluate the module again: another class, as a second installed copy would have.
    const again = '../src/errors.ts?copy=2';
    const copy: ErrorsModule = await import(again);
    const [ours, theirs] = [new IdentityError('FIELD_MISSING', 'a'), new copy.IdentityError('FIELD_MISSING', 'b')];
    expect(copy.IdentityError).not.toBe(IdentityError);
    expect(Object.getPrototypeOf(theirs)).not.toBe(IdentityError.prototype);
    for (const error of [ours, theirs]) {
      expect(isIdentityError(error) && error instanceof IdentityError).toBe(true);
      expect(copy.isIdentityError(error) && error instanceof copy.IdentityError).toBe(true);
    }
  });

  it('are not what merely looks like them', () => {
    const alike = Object.assign(new Error('x'), { code: 'FIELD_MISSING', name: 'IdentityError' });
    for (const value of [alike, null, undefined, 'IdentityError', Symbol('x'), {}, new TypeError('x')]) {
      expect(isIdentityError(value)).toBe(false);
    }
  });

  it('pass their cause and leave absent what they do not know', () => {
    const cause = new Error('disk');
    expect(new IdentityError('METADATA_UNREADABLE', 'x', { cause, path: 'p' })).toMatchObject({ cause, path: 'p' });
    const bare = new IdentityError('FIELD_MISSING', 'x');
    for (const key of ['cause', 'path', 'field', 'hint', 'issues']) expect(Object.hasOwn(bare, key)).toBe(false);
    expect(bare).toBeInstanceOf(Error);
  });
});
