import { z } from 'zod';

const CallV1 = z.discriminatedUnion('tool', [
  z.strictObject({ tool: z.literal('shell'), command: z.string().min(1) }),
  z.strictObject({ tool: z.literal('write'), path: z.string().min(1), text: z.string() }),
  z.strictObject({
    tool: z.literal('named'),
    name: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()),
  }),
]);

const BreakingPointV1 = z.enum(['request', 'headers', 'first-event']);

const COMMON = { model: z.string().min(1).optional(), delayMs: z.int().min(0).optional() };

const answersV1 = <T extends z.ZodRawShape>(more: T) =>
  z.discriminatedUnion('answer', [
    z.strictObject({ answer: z.literal('text'), text: z.string(), ...COMMON, ...more }),
    z.strictObject({ answer: z.literal('tool'), call: CallV1, text: z.string().optional(), ...COMMON, ...more }),
    z.strictObject({ answer: z.literal('empty'), ...COMMON, ...more }),
    z.strictObject({
      answer: z.literal('trickle'),
      text: z.string().min(1),
      everyMs: z.int().min(1),
      forever: z.boolean().optional(),
      ...COMMON,
      ...more,
    }),
    z.strictObject({ answer: z.literal('hang'), after: BreakingPointV1, ...COMMON, ...more }),
    z.strictObject({ answer: z.literal('drop'), after: BreakingPointV1, ...COMMON, ...more }),
    z.strictObject({
      answer: z.literal('status'),
      status: z.int().min(400).max(599),
      retryAfterSeconds: z.int().min(0).optional(),
      ...COMMON,
      ...more,
    }),
  ]);

/** What a scenario file holds, version 1.0. */
export const ModelScenarioV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  turns: z.array(answersV1({ first: z.array(answersV1({})).optional() })).min(1),
  promptHolds: z.string().min(1).optional(),
  namesModelInHeader: z.boolean().optional(),
});
