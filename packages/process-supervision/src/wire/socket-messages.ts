import { Stage } from '@bailiwick/dispatch-state';
import { z } from 'zod';

/** From the supervisor: an attempt may have reached this stage. A hint; the sidecar is the fact. */
export interface StageMessage {
  readonly dispatchId: string;
  readonly stage: Stage;
}

/** To the supervisor: end these attempts. Ids that it doesn't run are passed over. */
export interface StopMessage {
  readonly stop: readonly string[];
  /** Who stops, for the sidecar's reason. */
  readonly by: string;
  readonly graceMs: number;
}

export const StageMessageV1 = z.looseObject({ dispatchId: z.string().min(1), stage: z.enum(Stage) });
export const StopMessageV1 = z.looseObject({
  stop: z.array(z.string().min(1)).max(10_000),
  by: z.string().max(1_000),
  graceMs: z.int().min(0).max(3_600_000),
});

/** A line from a supervisor, or undefined for one that says nothing to us. */
export function parseStageMessage(line: string): StageMessage | undefined {
  const parsed = StageMessageV1.safeParse(jsonOrNothing(line));
  return parsed.success ? { dispatchId: parsed.data.dispatchId, stage: parsed.data.stage } : undefined;
}

/** A line to a supervisor, or undefined for one that it passes over. */
export function parseStopMessage(line: string): StopMessage | undefined {
  const parsed = StopMessageV1.safeParse(jsonOrNothing(line));
  if (!parsed.success) return undefined;
  const { stop, by, graceMs } = parsed.data;
  return { stop, by, graceMs };
}

/** What a line of JSON holds; undefined where it isn't JSON. */
export function jsonOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
