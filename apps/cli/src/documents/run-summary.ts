import { AttestationSource } from '@bailiwick/assignment-resolution';
import { DispatchStatus, EndProof, Isolation } from '@bailiwick/dispatch-state';
import { Role } from '@bailiwick/execution-identity';
import { ATTRIBUTION_GRADES, AUDIT_STATUSES, VIOLATION_CODES } from '@bailiwick/mutation-audit';
import { Phase, RunOutcome } from '@bailiwick/run-workflow';
import { ThrowAwayLayer } from '@bailiwick/write-policy';
import { WriteEnforcementV1 } from '@bailiwick/write-policy/schema';
import { z } from 'zod';
import { AbsolutePath, AttemptNumber, Count, document, Timestamp } from './document.ts';
import { ErrorFields } from './error.ts';

/** A document of the run that can't be read. */
export const Damage = z.strictObject({ path: z.string(), code: z.string(), message: z.string() });

/** US dollars. */
const Cost = z.union([z.number().min(0), z.literal('unknown')]);

/** What a run cost as far as it is known, and of how many attempts it isn't. */
export const RunCost = z.strictObject({ knownUsd: Cost, unknownAttempts: Count, openAttempts: Count });

export const RunState = z.enum(['unfinished', ...Object.values(RunOutcome)]);

const AttemptSummary = z.strictObject({
  workerId: z.string(),
  role: z.enum(Role),
  attempt: AttemptNumber,
  dispatchId: z.string(),
  provider: z.string(),
  modelRef: z.string(),
  servedModel: z.string(),
  servedModelSource: z.enum(AttestationSource),
  status: z.enum(DispatchStatus),
  reason: z.string(),
  verdict: z.enum(['pass', 'fail']).nullable(),
  audit: z.enum([...AUDIT_STATUSES, 'pending', 'none', 'unaudited']),
  attribution: z.enum(ATTRIBUTION_GRADES),
  changedPaths: z.array(z.string()),
  violations: z.array(z.strictObject({ code: z.enum(VIOLATION_CODES), path: z.string(), message: z.string() })),
  boundary: WriteEnforcementV1.shape.boundary,
  boundaryReason: z.string(),
  layer: z.enum([...Object.values(ThrowAwayLayer), 'none']),
  layerReason: z.string(),
  alteredInLayer: z.array(z.string()),
  endProof: z.enum(EndProof),
  durationMs: Count.nullable(),
  costUsd: Cost.nullable(),
  logPath: AbsolutePath,
  sessionId: z.string(),
  reportedSessionId: z.string().nullable(),
  isCurrent: z.boolean().nullable(),
});

/** Of `run start`, `run resume` and `run show`; `error` where a run was broken off after something of it ran. */
export const RunShowDocument = document({
  runId: z.string(),
  taskKey: z.string(),
  createdAt: Timestamp,
  projectRoot: AbsolutePath,
  isolation: z.enum(Isolation),
  worktree: AbsolutePath.nullable(),
  runDirectory: AbsolutePath,
  state: RunState,
  phase: z.enum(Phase).nullable(),
  attempts: z.array(AttemptSummary),
  changedPaths: z.array(z.string()),
  cost: RunCost,
  reportPath: AbsolutePath.nullable(),
  unreadable: z.array(Damage),
  error: ErrorFields.optional(),
});
