import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import type { ChangedPath, PathName } from '@bailiwick/mutation-audit';
import { describe, expect, it } from 'vitest';
import { type RunSummary, summariseRun } from '../../src/index.ts';
import {
  auditWith,
  completedRecord,
  failedRecord,
  launchingRecord,
  projectAt,
  type SampleRun,
  sampleRun,
} from '../support/sample-run.ts';

const RUN = sampleRun();

function summary(records: readonly DispatchRecord[], run: SampleRun = RUN, sourceDigest?: string): RunSummary {
  return summariseRun({ manifest: run.manifest, records, unreadable: [], reportPath: null, sourceDigest });
}

function changed(...paths: readonly PathName[]): DispatchRecord['contract'] {
  const changedPaths = paths.map(
    (path): ChangedPath => ({
      path,
      kind: 'modified',
      attribution: 'exclusive',
      candidates: [],
      beforeDigest: null,
      afterDigest: null,
    }),
  );
  return { audited: true, audit: auditWith({ changedPaths, attribution: 'exclusive' }) };
}

describe('the summary of a run', () => {
  it('tells where the run stands from manifest and records alone', () => {
    const implementer = completedRecord(RUN, 'implementer');
    expect(summary([])).toMatchObject({ state: 'unfinished', phase: 'implement', attempts: [], changedPaths: [] });
    expect(summary([implementer])).toMatchObject({ state: 'unfinished', phase: 'verify' });
    expect(summary([failedRecord(RUN, 'implementer', 'exited')])).toMatchObject({
      state: 'failed',
      phase: 'implement',
    });
  });

  it('lists attempts in the order in which they began, whatever order they were read in and whatever the clock did', () => {
    const first = failedRecord(RUN, 'implementer', 'exited', { dispatchedAt: '2026-11-29T18:00:00.000Z' });
    const second = completedRecord(RUN, 'implementer', {}, { attempt: 2, at: 5 });
    const verifier = completedRecord(RUN, 'verifier-1', { dispatchedAt: '2026-11-29T12:00:00.000Z' }, { at: 9 });
    const { attempts } = summary([verifier, second, first]);
    expect(attempts.map((row) => `${row.workerId} ${row.attempt}`)).toEqual([
      'implementer 1',
      'implementer 2',
      'verifier-1 1',
    ]);
  });

  it('shows changed paths once, without what lies in drop boxes', () => {
    const contract = changed(
      'src/b.js',
      'src/a.js',
      '.bailiwick/out',
      '.bailiwick/out/i/result.json',
      '.bailiwick/outside.js',
    );
    const { attempts, changedPaths } = summary([
      completedRecord(RUN, 'implementer', { contract }),
      completedRecord(RUN, 'verifier-1', { contract: changed('src/a.js') }, { at: 5 }),
    ]);
    expect(changedPaths).toEqual(['.bailiwick/outside.js', 'src/a.js', 'src/b.js']);
    expect(attempts[0]?.changedPaths).toEqual(['src/b.js', 'src/a.js', '.bailiwick/outside.js']);
  });

  it('calls a path of the run’s own worktree as it would be called in the project, and one elsewhere by its whole name', () => {
    const run = sampleRun(projectAt('/shop', 'a'.repeat(40)), { isolation: 'worktree' });
    const own = `.bailiwick/worktrees/${run.manifest.runId}`;
    const contract = changed(`${own}/src/a.js`, `${own}-other/src/b.js`, 'src/c.js', '/elsewhere/d.js');
    expect(summary([completedRecord(run, 'implementer', { contract })], run).changedPaths).toEqual(
      [`${own}-other/src/b.js`, '/elsewhere/d.js', 'src/a.js', 'src/c.js'].sort(),
    );
  });

  it('shows a path that is no text, or would break a line, so that it can be read', () => {
    const contract = changed({ pathBytes: Buffer.from([0x61, 0xff]).toString('base64') }, 'two\nlines');
    expect(summary([completedRecord(RUN, 'implementer', { contract })]).changedPaths).toEqual([
      'a\\xff',
      'two\\x0alines',
    ]);
  });

  it('AR-10 says unknown of a model that nobody saw, and never takes what was asked for as what served', () => {
    const seen = {
      level: 'exact',
      normalizedModelRef: 'claude/sonnet',
      reported: ['s'],
      source: 'stream',
      turns: 2,
    } as const;
    const odd = { ...seen, level: 'unrecognised', normalizedModelRef: null, reported: ['gpt-x', 'gpt-y'] } as const;
    const rows = [
      completedRecord(RUN, 'implementer'),
      completedRecord(RUN, 'verifier-1', { servedModel: seen }, { at: 1 }),
      completedRecord(RUN, 'verifier-2', { servedModel: odd }, { at: 2 }),
      launchingRecord(RUN, 'report-writer', { at: 3 }),
    ];
    expect(summary(rows).attempts.map((row) => [row.servedModel, row.servedModelSource])).toEqual([
      ['unknown', 'none'],
      ['claude/sonnet', 'stream'],
      ['gpt-x, gpt-y', 'stream'],
      ['unknown', 'none'],
    ]);
  });

  it('keeps lifecycle, audit and result apart, and what is not known yet unknown', () => {
    const running = summary([launchingRecord(RUN, 'implementer')]).attempts[0];
    expect(running).toMatchObject({
      status: 'launching',
      audit: 'pending',
      endProof: 'unknown',
      durationMs: null,
      verdict: null,
    });
    const unaudited = { audited: false, audit: null };
    expect(summary([failedRecord(RUN, 'implementer', 'lost', { contract: unaudited })]).attempts[0]).toMatchObject({
      audit: 'none',
    });
    expect(summary([completedRecord(RUN, 'implementer')]).attempts[0]).toMatchObject({
      durationMs: 30_000,
      audit: 'ok',
    });
  });

  it('tells what the run cost as far as it is known, and of each attempt', () => {
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, costUsd: 0.5 };
    const process = { hostId: 'h', bootId: 'b', pidNamespace: '', pid: 7, startTicks: '1' };
    const { attempts, cost } = summary([
      completedRecord(RUN, 'implementer', { process, usage }),
      completedRecord(RUN, 'verifier-1', { process, usage: { ...usage, costUsd: 'unknown' } }, { at: 1 }),
      launchingRecord(RUN, 'verifier-2', { at: 2 }),
    ]);
    expect(attempts.map((row) => row.costUsd)).toEqual([0.5, 'unknown', null]);
    expect(cost).toEqual({ knownUsd: 0.5, unknownAttempts: 1, openAttempts: 1 });
  });

  it('ST-8 tells whether a verdict still stands for the source as it is now, and of nobody else’s', () => {
    const records = [completedRecord(RUN, 'implementer'), completedRecord(RUN, 'verifier-1', {}, { at: 1 })];
    const current = (digest?: string) => summary(records, RUN, digest).attempts.map((row) => row.isCurrent);
    expect(current(digestOfBytes('x'))).toEqual([null, true]);
    expect(current(digestOfBytes('y'))).toEqual([null, false]);
    expect(current()).toEqual([null, null]);
  });
});
