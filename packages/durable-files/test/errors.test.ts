import { describe, expect, it, vi } from 'vitest';
import { DurableFileError, DurableFileErrorCode, isDurableFileError, mapSystemError } from '../src/index.ts';

describe('DurableFileError', () => {
  it('has exactly these codes', () => {
    expect(Object.values(DurableFileErrorCode)).toEqual([
      'CANONICAL_JSON_INVALID',
      'DIGEST_INVALID',
      'DISK_FULL',
      'DOCUMENT_DAMAGED',
      'DOCUMENT_INVALID',
      'DOCUMENT_MISSING',
      'DOCUMENT_NEWER_VERSION',
      'FILE_EXISTS',
      'FILE_MISSING',
      'FILE_NAME_INVALID',
      'FILE_NOT_UTF8',
      'FILE_TOO_LARGE',
      'FOLDER_MISSING',
      'IO_FAILED',
      'LOCK_FILE_DAMAGED',
      'LOCK_FILE_IN_USE',
      'LOCK_TIMEOUT',
      'LOCKS_NOT_SUPPORTED',
      'NAME_TOO_LONG',
      'NOT_A_FOLDER',
      'NOT_A_REGULAR_FILE',
      'NO_PERMISSION',
      'PATH_ESCAPES',
      'READ_ONLY',
      'TOO_MANY_FILES',
      'VALUE_NOT_JSON',
    ]);
  });

  it('says what, where and what to do in its message, and the same in fields', () => {
    const cause = new Error('below');
    const issues = Array.from({ length: 7 }, (_, index) => ({ path: `/${index}`, message: 'wrong' }));
    const error = new DurableFileError('DOCUMENT_DAMAGED', 'damaged', {
      path: '/a/b',
      hint: 'Look at it',
      issues,
      cause,
    });
    expect(error.message).toBe(
      'damaged: /a/b [/0: wrong; /1: wrong; /2: wrong; /3: wrong; /4: wrong; and 2 more]. Look at it',
    );
    expect(error).toMatchObject({ code: 'DOCUMENT_DAMAGED', path: '/a/b', hint: 'Look at it', issues, cause });
    expect(error.name).toBe('DurableFileError');
  });

  it('has no keys for facts that do not apply', () => {
    expect(Object.keys(new DurableFileError('IO_FAILED', 'failed'))).toEqual(['code']);
  });

  it('is recognised by another installed copy of the package, and nothing else is', async () => {
    vi.resetModules();
    const other = await import('../src/index.ts');
    const theirs = new other.DurableFileError('IO_FAILED', 'failed');
    expect(other.DurableFileError).not.toBe(DurableFileError);
    expect(theirs).toBeInstanceOf(DurableFileError);
    expect(isDurableFileError(theirs)).toBe(true);
    expect([new Error('x'), { code: 'IO_FAILED' }, null, 'IO_FAILED'].some(isDurableFileError)).toBe(false);
  });
});

describe('mapSystemError', () => {
  it.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    ['EFBIG', 'FILE_TOO_LARGE'],
    ['EACCES', 'NO_PERMISSION'],
    ['EPERM', 'NO_PERMISSION'],
    ['EROFS', 'READ_ONLY'],
    ['EMFILE', 'TOO_MANY_FILES'],
    ['ENFILE', 'TOO_MANY_FILES'],
    ['ENOENT', 'FILE_MISSING'],
    ['EEXIST', 'FILE_EXISTS'],
    ['ENOTDIR', 'NOT_A_FOLDER'],
    ['EISDIR', 'NOT_A_REGULAR_FILE'],
    ['ELOOP', 'NOT_A_REGULAR_FILE'],
    ['ENXIO', 'NOT_A_REGULAR_FILE'],
    ['ENAMETOOLONG', 'NAME_TOO_LONG'],
    ['EIO', 'IO_FAILED'],
  ])('makes %s into %s, keeping the cause', (systemCode, code) => {
    const cause = Object.assign(new Error('told'), { code: systemCode });
    const error = mapSystemError(cause, '/a/b', 'reading');
    expect(error).toMatchObject({ code, path: '/a/b', cause });
    expect(error.message).toContain('reading failed');
  });

  it('leaves an error of ours as it is', () => {
    const ours = new DurableFileError('DISK_FULL', 'full');
    expect(mapSystemError(ours, '/a', 'reading')).toBe(ours);
  });

  it('takes what is no system error', () => {
    expect(mapSystemError('odd', '/a', 'reading')).toMatchObject({ code: 'IO_FAILED', cause: 'odd' });
  });
});
