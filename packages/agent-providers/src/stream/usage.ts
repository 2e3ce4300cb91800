import type { AgentObservation, Usage } from '../observation.ts';

/** Numbers as the program gave them; undefined for what it left out. */
export interface ReportedUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cached?: number | undefined;
  readonly costUsd?: number | undefined;
}

/** A running total, or nothing where the program reported no number at all. */
export function usageObservation(reported: ReportedUsage): readonly AgentObservation[] {
  const usage = usageOf(reported);
  return Object.values(usage).every((value) => value === 'unknown') ? [] : [{ kind: 'usage', usage }];
}

/** The sum of numbers that a program splits up; undefined when none of them is there. */
export function sumOf(...parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, part) => total + part, 0);
}

/**
 * A cost that the program worked out from a price list of its own. Such a list says 0 for a model it has no price for,
 * so 0 is no fact.
 */
export function pricedCost(cost: number | undefined): number | undefined {
  return cost === 0 ? undefined : cost;
}

/** Adds up steps, for programs that report each model call by itself. */
export function trackUsage(): { add(step: ReportedUsage): readonly AgentObservation[] } {
  let total: ReportedUsage = {};
  return {
    add(step) {
      total = {
        input: sumOf(total.input, step.input),
        output: sumOf(total.output, step.output),
        cached: sumOf(total.cached, step.cached),
        costUsd: sumOf(total.costUsd, step.costUsd),
      };
      return usageObservation(total);
    },
  };
}

function usageOf(reported: ReportedUsage): Usage {
  return {
    inputTokens: known(reported.input),
    outputTokens: known(reported.output),
    cachedInputTokens: known(reported.cached),
    costUsd: known(reported.costUsd),
  };
}

function known(value: number | undefined): number | 'unknown' {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : 'unknown';
}
