import { BoundaryMode } from '@bailiwick/dispatch';
import { z } from 'zod';

const SeatV1 = z.strictObject({ model: z.string().min(1).describe('a model ref such as "claude/sonnet"') });

const ModelNames = z.array(z.string().min(1)).min(1);

const ModelServerV1 = z.strictObject({
  url: z
    .string()
    .regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/)
    .describe('root of a model server, without /v1; a gateway stands between it and the agent'),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .optional()
    .describe('the variable that holds its key; the agent gets neither'),
  models: z
    .strictObject({ only: ModelNames.optional(), never: ModelNames.optional() })
    .optional()
    .describe('which models may be asked for, by the names that stand in requests; others are refused'),
});

const AgentV1 = z.strictObject({
  command: z.array(z.string().min(1)).min(1).optional(),
  maxConcurrent: z.int().min(1).optional().describe('how many of its workers may run at a time'),
  modelServer: ModelServerV1.optional(),
});

/** `.bailiwick/config.json`, version 1.0. */
export const ConfigV1 = z.strictObject({
  $schema: z.string().optional(),
  schemaVersion: z.literal('1.0'),
  team: z.strictObject({
    implementer: SeatV1,
    verifiers: z.array(SeatV1),
    reportWriter: SeatV1.optional(),
    translator: SeatV1.extend({ language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/) }).optional(),
  }),
  agents: z.record(z.string(), AgentV1).optional(),
  models: z.array(z.unknown()).optional(),
  isolation: z.enum(['tree', 'worktree']).optional(),
  limits: z
    .strictObject({
      hardMinutes: z.number().positive().optional(),
      idleMinutes: z.number().positive().optional(),
      graceSeconds: z.number().nonnegative().optional(),
    })
    .optional(),
  maxConcurrent: z.int().min(1).optional(),
  maxCostUsd: z
    .number()
    .positive()
    .optional()
    .describe('US dollars that a run may cost; once that is known to be spent no further worker is launched'),
  minimumModelSource: z.enum(['wire', 'stream', 'transcript']).optional(),
  ignored: z.enum(['free', 'listed', 'none']).optional(),
  scratch: z.array(z.string().min(1)).optional(),
  git: z.enum(['none', 'commit']).optional(),
  boundary: z
    .enum(BoundaryMode)
    .optional()
    .describe(
      'whether workers run in bubblewrap: where the machine can (auto, the default), always or not at all, never',
    ),
});
