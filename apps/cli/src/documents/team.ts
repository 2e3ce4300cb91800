import { BindingV1 } from '@bailiwick/assignment-resolution/schema';
import { BackendKind, DispatchStatus, EndProof, Stage } from '@bailiwick/dispatch-state';
import { TeamStateV1 } from '@bailiwick/dispatch-state/schema';
import { WriteEnforcementV1, WritePolicyV1 } from '@bailiwick/write-policy/schema';
import { z } from 'zod';
import { AbsolutePath, AttemptNumber, Count, Digest, document } from './document.ts';
import { ErrorFields } from './error.ts';
import { Damage, RunCost } from './run-summary.ts';

const Unaudited = z.literal('unaudited');

/** `ended`: how the waiting did; `launched` where nobody waited. `code`: 0 of a completed job, null of one that runs. */
export const TeamDispatchDocument = document({
  batchId: z.string(),
  ended: z.enum(['launched', 'settled', 'interrupted', 'detached', 'timed-out']),
  jobs: z.array(
    z.strictObject({
      dispatchId: z.string(),
      label: z.string(),
      status: z.enum(DispatchStatus),
      reason: z.string(),
      attempt: AttemptNumber,
      code: z.int().nullable(),
      audit: Unaudited.optional(),
    }),
  ),
  cost: RunCost,
});

const PlannedJob = z.strictObject({
  dispatchId: z.string(),
  workerId: z.string(),
  modelRef: z.string().nullable(),
  modelExecutionValue: z.string().nullable(),
  runner: BindingV1.shape.runner.nullable(),
  backend: z.enum(BackendKind),
  promptPath: AbsolutePath,
  outputPaths: z.array(AbsolutePath),
});

const Identity = z.strictObject({
  participantRef: z.string(),
  roleExecutionRef: z.string(),
  invocationRef: z.string(),
  executionLabel: z.string(),
  dutyId: z.string(),
  attempt: AttemptNumber,
});

/** Of `team dispatch --dry-run`. */
export const TeamDryRunDocument = document({
  jobs: z.array(
    z.union([
      PlannedJob.extend({
        identity: Identity,
        writePolicy: WritePolicyV1,
        writePolicyDigest: Digest,
        writeEnforcement: WriteEnforcementV1,
      }),
      PlannedJob.extend({ audit: Unaudited }),
    ]),
  ),
  skipped: z.array(z.strictObject({ workerId: z.string(), reason: z.string() })),
});

const SettledAttempt = z.strictObject({
  dispatchId: z.string(),
  label: z.string(),
  status: z.enum(DispatchStatus),
  reason: z.string(),
  attempt: AttemptNumber,
  logPath: AbsolutePath,
});

export const TeamAwaitDocument = document({
  ended: z.enum(['settled', 'timed-out', 'detached']),
  settled: z.array(SettledAttempt),
  running: z.array(z.strictObject({ dispatchId: z.string(), label: z.string() })),
  failures: z.array(z.strictObject({ batchId: z.string().nullable(), error: ErrorFields })),
  unaudited: z.array(SettledAttempt.extend({ audit: Unaudited })),
  unreadable: z.array(Damage),
});

/** One per look with `--watch`. */
export const TeamStatusDocument = document({
  runId: z.string(),
  workers: TeamStateV1.shape.workers,
  attempts: z.array(
    z.strictObject({
      dispatchId: z.string(),
      label: z.string(),
      attempt: AttemptNumber,
      status: z.enum([...Object.values(DispatchStatus), 'ended, contract pending']),
      stage: z.enum([...Object.values(Stage), 'lost', 'none']),
      ageMs: Count,
      lastLine: z.string(),
      logPath: AbsolutePath,
      audit: Unaudited.optional(),
    }),
  ),
  unreadable: z.array(Damage),
});

export const TeamStopDocument = document({
  runId: z.string(),
  stopped: z.array(
    z.strictObject({
      dispatchId: z.string(),
      isGone: z.boolean(),
      endProof: z.enum(EndProof),
      endedProcesses: Count,
      note: z.string().optional(),
    }),
  ),
});
