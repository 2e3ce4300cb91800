import { describe, expect, it } from 'vitest';
import { isWritePolicyError, WritePolicyError, WritePolicyErrorCode } from '../src/index.ts';

describe('WritePolicyError', () => {
  it('has exactly these codes, which others compare with', () => {
    expect(Object.values(WritePolicyErrorCode).sort()).toEqual([
      'ARTIFACT_OUTSIDE_DROP_BOX',
      'AUXILIARY_NOT_ALLOWED',
      'AUXILIARY_NOT_VALIDATED',
      'BATCH_INCOMPATIBLE',
      'CAPABILITY_MISSING',
      'CONTRACT_MISSING',
      'ENFORCEMENT_INVALID',
      'GIT_NOT_ALLOWED',
      'GLOB_INVALID',
      'PATH_INVALID',
      'PATH_NEVER_WRITABLE',
      'PATH_NOT_RESOLVED',
      'PATH_NOT_UTF8',
      'PATH_OF_ORCHESTRATOR',
      'PATH_OUTSIDE',
      'PATH_THROUGH_SYMLINK',
      'PATH_TOO_LONG',
      'PATH_TOO_WIDE',
      'PLAN_NOT_ALLOWED',
      'POLICY_DIGEST_CHANGED',
      'POLICY_INVALID',
    ]);
  });

  it('recognises an error of another installed copy by its brand', () => {
    const foreign = Object.assign(new Error('from elsewhere'), {
      [Symbol.for('@bailiwick/write-policy/WritePolicyError')]: true,
    });
    expect(isWritePolicyError(foreign)).toBe(true);
    expect(isWritePolicyError(new Error('plain'))).toBe(false);
    expect(isWritePolicyError(undefined)).toBe(false);
  });

  it('carries only the fields that it was given, and its cause', () => {
    const cause = new Error('why');
    const error = new WritePolicyError('PATH_OUTSIDE', 'no', { path: '/x', cause });
    expect(error).toBeInstanceOf(WritePolicyError);
    expect(error.cause).toBe(cause);
    expect(Object.keys(error).sort()).toEqual(['code', 'name', 'path']);
  });
});
