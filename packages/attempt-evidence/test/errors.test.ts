import { describe, expect, it } from 'vitest';
import { isSealError, SealDifferenceCode, SealError, SealErrorCode } from '../src/index.ts';

describe('SealError', () => {
  it('has exactly these codes, which others compare with', () => {
    expect(Object.values(SealErrorCode).sort()).toEqual([
      'CHAIN_HEAD_MISSING',
      'KEY_DAMAGED',
      'KEY_EXPOSED',
      'KEY_WITHIN_REACH',
      'RUN_DIFFERS',
    ]);
  });

  it('recognises an error of another installed copy by its brand', () => {
    const foreign = Object.assign(new Error('from elsewhere'), {
      [Symbol.for('@bailiwick/attempt-evidence/SealError')]: true,
    });
    expect(isSealError(foreign)).toBe(true);
    expect(isSealError(new Error('plain'))).toBe(false);
  });

  it('carries only the fields that it was given, and its cause', () => {
    const cause = new Error('why');
    const error = new SealError('KEY_DAMAGED', 'no', { path: '/x', cause });
    expect(error.cause).toBe(cause);
    expect(Object.keys(error).sort()).toEqual(['code', 'name', 'path']);
  });
});

describe('a difference', () => {
  it('has exactly these codes', () => {
    expect(Object.values(SealDifferenceCode).sort()).toEqual([
      'anchor-missing',
      'attempt-unsealed',
      'attempt-unsettled',
      'chain-broken',
      'file-differs',
      'file-missing',
      'file-unreadable',
      'head-differs',
      'key-unknown',
      'seal-damaged',
      'seal-misplaced',
      'seal-missing',
      'signature-bad',
      'statement-differs',
      'unexpected-file',
      'unsigned',
    ]);
  });
});
