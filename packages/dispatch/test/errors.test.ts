import { describe, expect, it } from 'vitest';
import { DispatchError, DispatchErrorCode, isDispatchError } from '../src/index.ts';

describe('the errors of this package', () => {
  it('have these codes', () => {
    expect(Object.values(DispatchErrorCode).sort()).toEqual([
      'ASSIGNMENT_DISAGREES',
      'ATTEMPT_NOT_FIRST',
      'BACKEND_UNSUPPORTED',
      'BATCH_ABORTED',
      'BATCH_MIXES_GENERATIONS',
      'BESIDE_UNAUDITED',
      'BOUNDARY_UNAVAILABLE',
      'CONTRACT_MISSING',
      'COST_LIMIT_REACHED',
      'GENERATION_UNAUDITED',
      'IMPLEMENTER_WITH_VERIFIER',
      'INPUT_DIGEST_DIFFERS',
      'METADATA_MISSING',
      'MODEL_KEY_MISSING',
      'MODEL_SERVER_UNSUPPORTED',
      'OUTPUT_OUTSIDE_DROP_BOX',
      'PROMPT_INVALID',
      'PROMPT_TOO_LARGE',
      'REPORT_WRITER_NOT_ALONE',
      'ROSTER_EMPTY',
      'RUNNER_NOT_DISPATCHED',
      'SCHEMA_EXCERPT_STALE',
      'TRANSLATOR_NOT_ALONE',
      'TRANSLATOR_NOT_CANONICAL',
      'WORKER_STOPPED',
      'WORKER_TWICE',
      'WORKER_UNKNOWN',
    ]);
  });

  it('are recognised when they come from another installed copy', () => {
    const brand = Symbol.for('@bailiwick/dispatch/DispatchError');
    const foreign = Object.defineProperty(new Error('of another copy'), brand, { value: true });
    expect(isDispatchError(foreign)).toBe(true);
    expect(foreign instanceof DispatchError).toBe(true);
  });

  it('are not seen in an error of somebody else', () => {
    expect([new Error('x'), null, 'ROSTER_EMPTY', { code: 'ROSTER_EMPTY' }].map(isDispatchError)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('keep their cause, and have no field that nobody gave', () => {
    const cause = new Error('the disk');
    const error = new DispatchError('BATCH_ABORTED', 'broken off', { cause });
    expect(error.cause).toBe(cause);
    expect(['path', 'hint', 'names'].filter((field) => field in error)).toEqual([]);
  });
});
