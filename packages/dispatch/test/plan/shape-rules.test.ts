import type { Audience, WorkerId } from '@bailiwick/execution-identity';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { checkBatchShape, isDispatchError, type JobShape } from '../../src/index.ts';

const BACKENDS = new Map([['cli-wrapper', true] as const]);

function job(worker: string, audience: Audience): JobShape {
  return { workerId: parseWorkerId(worker), audience, backend: 'cli-wrapper' };
}

function refusal(jobs: readonly JobShape[]) {
  try {
    checkBatchShape(jobs, BACKENDS);
  } catch (error) {
    if (isDispatchError(error)) return error;
    throw error;
  }
  throw new Error('the batch was accepted');
}

describe('what may be dispatched together', () => {
  it('PL-2 refuses the report writer in company, naming the company', () => {
    const error = refusal([job('report-writer', 'report-writer'), job('verifier-1', 'implementation-verifier')]);
    expect(error.code).toBe('REPORT_WRITER_NOT_ALONE');
    expect(error.message).toContain('verifier-1');
  });

  it('PL-2 accepts the report writer alone', () => {
    expect(() => checkBatchShape([job('report-writer', 'report-writer')], BACKENDS)).not.toThrow();
  });

  it('PL-3 refuses the implementer with one verifier, in the singular, and says how to split', () => {
    const error = refusal([job('ada', 'implementation-executor'), job('bob', 'implementation-verifier')]);
    expect(error.code).toBe('IMPLEMENTER_WITH_VERIFIER');
    expect(error.message).toContain('implementer ada');
    expect(error.message).toContain('verifier bob');
    expect(error.hint).toMatch(/dispatch ada alone.*team await.*--workers bob/);
    expect(error.hint).toMatch(/omit ada.*implementer again/);
  });

  it('PL-3 names several verifiers in the plural', () => {
    const error = refusal([
      job('ada', 'implementation-executor'),
      job('bob', 'implementation-verifier'),
      job('cyd', 'implementation-verifier'),
    ]);
    expect(error.message).toContain('verifiers bob, cyd');
    expect(error.hint).toContain('--workers bob,cyd');
  });

  it('PL-3 accepts several verifiers without the implementer', () => {
    expect(() =>
      checkBatchShape([job('bob', 'implementation-verifier'), job('cyd', 'implementation-verifier')], BACKENDS),
    ).not.toThrow();
  });

  it('BA-5 refuses a backend that is not there, and names those that are', () => {
    const error = refusal([{ ...job('ada', 'implementation-executor'), backend: 'cmux-pane' }]);
    expect(error.code).toBe('BACKEND_UNSUPPORTED');
    expect(error.hint).toContain('cli-wrapper');
  });

  it('refuses an empty plan and a worker that stands twice', () => {
    expect(refusal([]).code).toBe('ROSTER_EMPTY');
    const twice = refusal([job('ada', 'implementation-verifier'), job('ada', 'implementation-verifier')]);
    expect(twice.code).toBe('WORKER_TWICE');
    expect(twice.names).toEqual<WorkerId[]>([parseWorkerId('ada')]);
  });
});
