import { SealDifferenceCode } from '@bailiwick/attempt-evidence';
import { RunDifferenceCode } from '@bailiwick/run-workflow';
import { z } from 'zod';
import { AbsolutePath, Count, Digest, document, PathName, Timestamp } from './document.ts';
import { Damage, RunState } from './run-summary.ts';

export const RunCreateDocument = document({
  runId: z.string(),
  runDirectory: AbsolutePath,
  workers: z.array(z.string()),
  worktree: AbsolutePath.nullable(),
});

export const RunListDocument = document({
  runs: z.array(
    z.strictObject({
      runId: z.string(),
      taskKey: z.string(),
      createdAt: Timestamp,
      state: RunState,
      attempts: Count,
      runDirectory: AbsolutePath,
    }),
  ),
  unreadable: z.array(Damage),
});

export const RunApplyDocument = document({
  runId: z.string(),
  applied: z.array(z.string()),
  unchanged: z.array(z.string()),
});

export const RunDiscardDocument = document({
  runId: z.string(),
  keptAt: AbsolutePath,
  kept: z.array(PathName),
});

export const RunPruneDocument = document({
  isDryRun: z.boolean(),
  bytes: Count,
  runs: z.array(
    z.strictObject({
      runId: z.string(),
      fate: z.enum(['may-go', 'gone', 'stays']),
      reason: z.string(),
      bytes: Count,
    }),
  ),
});

export const RunReportDocument = document({ runId: z.string(), path: AbsolutePath, bytes: Count });

const DifferenceCode = z.enum([...Object.values(SealDifferenceCode), ...Object.values(RunDifferenceCode)]);

export const RunVerifyDocument = document({
  holds: z.boolean(),
  runId: z.string(),
  attempts: Count,
  unaudited: z.array(z.strictObject({ dispatchId: z.string(), workerId: z.string(), status: z.string() })),
  unsettled: Count,
  seals: Count,
  signed: Count,
  unsigned: Count,
  superseded: Count,
  last: z.strictObject({ sequence: Count, digest: Digest }).nullable(),
  sourceDigest: Digest.nullable(),
  differences: z.array(
    z.strictObject({
      code: DifferenceCode,
      file: z.string(),
      message: z.string(),
      sealKey: z.string().optional(),
      expected: z.string().optional(),
      found: z.string().optional(),
      fields: z.array(z.string()).optional(),
    }),
  ),
  verdicts: z.array(
    z.strictObject({
      dispatchId: z.string(),
      verdict: z.enum(['pass', 'fail']),
      sourceDigest: Digest.nullable(),
      state: z.enum(['current', 'stale', 'unknown']),
    }),
  ),
});
