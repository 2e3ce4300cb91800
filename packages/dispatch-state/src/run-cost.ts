import { readDocument } from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import { statusSidecarCodec } from './codecs.ts';
import type { ProcessIdentity, Unknown, Usage } from './model/facts.ts';
import type { StatusSidecar } from './model/status-sidecar.ts';
import { type RunLayout, sidecarPathOf } from './run-layout.ts';
import { isTerminalStage } from './stages.ts';
import { surveyAttempts } from './survey-attempts.ts';
import { surveyUnaudited } from './unaudited-store.ts';

/** What attempts cost, as far as it was said. */
export interface RunCost {
  /** US dollars of those that say it; `unknown` where some ran and none says it. */
  readonly knownUsd: number | Unknown;
  /** How many ended and don't say what they cost. */
  readonly unknownAttempts: number;
  /** How many haven't ended, so that nothing is said of them yet. */
  readonly openAttempts: number;
}

/** The part of a record that its cost is read from. */
export interface CostFacts {
  readonly finishedAt: string | null;
  /** Null where nothing of it ever ran: that cost nothing. */
  readonly process: Pick<ProcessIdentity, 'pid'> | null;
  readonly usage: Pick<Usage, 'costUsd'> | null;
}

/**
 * The sum over attempts; pure. What isn't known is counted, and never taken for nothing: so is each of the `unreadable` records.
 */
export function costOf(attempts: readonly CostFacts[], unreadable = 0): RunCost {
  const costs = attempts.map(costOfAttempt).filter((cost) => cost !== null);
  const known = costs.filter((cost) => cost !== 'unknown');
  const unknownAttempts = costs.length - known.length + unreadable;
  return {
    knownUsd: known.length === 0 && unknownAttempts > 0 ? 'unknown' : sumUsd(known),
    unknownAttempts,
    openAttempts: attempts.filter(({ finishedAt }) => finishedAt === null).length,
  };
}

/** What one attempt cost; null before its end, and where nothing of it ever ran. Pure. */
export function costOfAttempt({ finishedAt, process, usage }: CostFacts): number | Unknown | null {
  return finishedAt === null || process === null ? null : (usage?.costUsd ?? 'unknown');
}

/**
 * Why nothing more may be launched, in the words for whoever stopped it; undefined while there is something left to spend. What isn't known
 * to be spent holds nothing up. Pure.
 */
export function costStop(spentUsd: number | Unknown, maxUsd: number): string | undefined {
  if (spentUsd === 'unknown' || sumUsd([spentUsd]) < maxUsd) return undefined;
  return `the cost limit of ${maxUsd} USD: ${sumUsd([spentUsd])} USD are spent`;
}

/**
 * What a run has cost until now: its records, and the sidecars of attempts that have ended and aren't settled. A record that can't be read
 * is an attempt whose cost is unknown.
 */
export async function readRunCost(layout: RunLayout): Promise<RunCost> {
  const audited = await surveyAttempts(layout);
  const unaudited = await surveyUnaudited(layout);
  const read = [...audited.attempts, ...unaudited.records].map((attempt) => asEnded(layout, attempt));
  return costOf(await Promise.all(read), audited.unreadable.length + unaudited.unreadable.length);
}

/** US dollars that the ended attempts of these sidecars say they cost; one that isn't there, or can't be read, says nothing. */
export async function costInSidecars(paths: readonly string[]): Promise<number> {
  const ended = (await Promise.all(paths.map(endedSidecar))).filter((sidecar) => sidecar !== undefined);
  return sumUsd(ended.map(({ usage }) => usage.costUsd).filter((cost) => cost !== 'unknown'));
}

/** An attempt whose process has ended is taken for ended before anybody settles it. */
async function asEnded(
  layout: RunLayout,
  attempt: CostFacts & { readonly dispatchId: DispatchId },
): Promise<CostFacts> {
  if (attempt.finishedAt !== null) return attempt;
  const sidecar = await endedSidecar(sidecarPathOf(layout, attempt.dispatchId));
  return sidecar === undefined ? attempt : { ...sidecar, finishedAt: sidecar.updatedAt };
}

/** Only looked at: damage is settlement's to find and keep aside. */
async function endedSidecar(path: string): Promise<StatusSidecar | undefined> {
  const sidecar = await readDocument(path, statusSidecarCodec, { keepDamaged: false }).catch(() => undefined);
  return sidecar !== undefined && isTerminalStage(sidecar.stage) ? sidecar : undefined;
}

/** Sums to the millionth: 0.1 and 0.7 are 0.8, not a little less. */
function sumUsd(costs: readonly number[]): number {
  return Math.round(costs.reduce((sum, cost) => sum + cost, 0) * MICRO) / MICRO;
}

const MICRO = 1_000_000;
