import { z } from 'zod';
import type { TurnUsage, UpstreamKey } from '../model.ts';

/** What one event or one whole answer says of who answers and what it costs. */
export interface AnswerFacts {
  readonly servedModel?: string | undefined;
  readonly usage?: Partial<TurnUsage> | undefined;
}

/** What a path of the API is for. */
type PathUse = 'turn' | 'aside';

/** One format of a model API, as far as the gateway has to know it. */
export interface WireFormat {
  /** What is asked for at this path, without query; undefined: nothing that goes through. */
  useOf(method: string, path: string): PathUse | undefined;
  /** The model that the path names; undefined where the request's body does. */
  modelInPath(path: string): string | undefined;
  /** The vendor's own header for keys. */
  readonly keyHeader: NonNullable<UpstreamKey['sentAs']>;
  /** Whether an event of this name can hold anything of interest; saves parsing the many that can't. */
  isOfInterest(eventName: string | undefined): boolean;
  /** Reads an event's data or a whole answer. Never throws; what it doesn't know says nothing. */
  read(value: unknown): AnswerFacts;
}

/** A count of tokens; whatever else stands there says nothing. */
export const Tokens = z.int().min(0).optional().catch(undefined);
export const Name = z.string().min(1).max(200).optional().catch(undefined);

/** The counts that are known. */
export function usageOf(counts: {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
}): Partial<TurnUsage> {
  return {
    ...(counts.input === undefined ? {} : { inputTokens: counts.input }),
    ...(counts.output === undefined ? {} : { outputTokens: counts.output }),
    ...(counts.cached === undefined ? {} : { cachedInputTokens: counts.cached }),
  };
}

/** The sum of what is known; undefined where nothing is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/** Paths of a vendor's API under its version, or under none where the root has it already. */
export function isVersioned(path: string, rest: RegExp): boolean {
  return rest.test(path.replace(/^\/v\d+[a-z]*\d*(?=\/)/, ''));
}
