import { parseTaskKey } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { attemptViewOf, changeSummaryOf } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { manifestLike, recordLike } from './support/samples.ts';

const manifest = manifestLike('shared-tree');
const own = { manifest, taskKey: manifest.taskKey };

describe('the view of an attempt', () => {
  it('ST-6 of a finished one is its record: verdict, worker result, change summary', () => {
    const record = recordLike('completed');
    expect(attemptViewOf(record, own)).toEqual({
      invocationRef: 'inv-1',
      invocationId: 'inv-1~1',
      attempt: 1,
      startedAt: record.dispatchedAt,
      finishedAt: record.finishedAt,
      status: 'ok',
      resultPath: 'results/inv-1%7e1%3aattempt-1/worker-result.md',
      changeSummary: {
        changedPaths: record.contract?.audit?.changedPaths,
        sourceChanged: true,
        gitChanged: false,
        attribution: 'candidates',
      },
      retryDecided: false,
      evidenceSealRef: 'inv-1:seal-1',
    });
  });

  it('says started until the attempt is settled', () => {
    expect(attemptViewOf(recordLike('launching'), own)).toMatchObject({
      status: 'started',
      finishedAt: null,
      resultPath: null,
      changeSummary: null,
    });
  });

  it('says what the audit found, and that a retry is decided', () => {
    expect(attemptViewOf(recordLike('error-with-retry'), own)).toMatchObject({
      status: 'failed-no-mutation',
      retryDecided: true,
      resultPath: null,
    });
  });

  it('has no verdict where nothing was started', () => {
    expect(attemptViewOf(recordLike('error-cut-off'), own)).toMatchObject({ status: null, changeSummary: null });
    expect(changeSummaryOf(null)).toBeNull();
  });

  it('ST-6 is refused for another task than the manifest has', async () => {
    const taskKey = parseTaskKey('shop/task/another');
    const error = await errorOf('TASK_KEY_DIFFERS', () =>
      attemptViewOf(recordLike('completed'), { manifest, taskKey }),
    );
    expect(error.message).toContain('shop/task/fix-cart');
    expect(error.message).toContain('shop/task/another');
  });
});
