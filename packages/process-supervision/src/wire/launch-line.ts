import type { ProcessIdentity } from '@bailiwick/dispatch-state';
import type { DispatchId } from '@bailiwick/execution-identity';
import { z } from 'zod';
import { jsonOrNothing } from './socket-messages.ts';

/**
 * A line that a supervisor prints while it launches, one JSON object each; after `launched` or `refused` its output is
 * closed.
 *
 * - `refused`: it can't work on this order; nothing of it runs here.
 * - `ready`: it holds the live lock; from now on it owns the attempts.
 * - `started`, `queued`, `failed`: what became of a job, each job once.
 * - `launched`: every job has been told of.
 */
export type LaunchLine =
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  | {
      readonly kind: 'ready';
      readonly supervisorVersion: string;
      readonly pid: number;
      readonly socketPath: string | null;
    }
  | { readonly kind: 'started'; readonly dispatchId: DispatchId; readonly process: ProcessIdentity }
  | { readonly kind: 'queued'; readonly dispatchId: DispatchId }
  | { readonly kind: 'failed'; readonly dispatchId: DispatchId; readonly reason: string }
  | { readonly kind: 'launched' };

const DispatchIdText = z.string().min(1);

export const LaunchLineV1 = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('refused'), code: z.string(), reason: z.string() }),
  z.looseObject({
    kind: z.literal('ready'),
    supervisorVersion: z.string(),
    pid: z.int().min(1),
    socketPath: z.string().nullable(),
  }),
  z.looseObject({
    kind: z.literal('started'),
    dispatchId: DispatchIdText,
    process: z.strictObject({
      hostId: z.string(),
      bootId: z.string(),
      pidNamespace: z.string(),
      pid: z.int().min(1),
      startTicks: z.string(),
    }),
  }),
  z.looseObject({ kind: z.literal('queued'), dispatchId: DispatchIdText }),
  z.looseObject({ kind: z.literal('failed'), dispatchId: DispatchIdText, reason: z.string() }),
  z.looseObject({ kind: z.literal('launched') }),
]);

/** A line as a supervisor printed it, or undefined for one that isn't of this form. */
export function parseLaunchLine(line: string): LaunchLine | undefined {
  const parsed = LaunchLineV1.safeParse(jsonOrNothing(line));
  // The brand alone differs: the supervisor copied the id from the order that its reader wrote.
  return parsed.success ? (parsed.data as unknown as LaunchLine) : undefined;
}
