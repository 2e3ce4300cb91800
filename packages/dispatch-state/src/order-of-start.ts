import type { InvocationRef } from '@bailiwick/execution-identity';
import type { AttemptFacts } from './model/attempt-facts.ts';

/**
 * Records in the order in which their invocations began, the attempts of each in theirs; pure. The event log only grows, so its size at
 * the claim tells what came later whatever the clock did; the time of dispatch decides only where nothing was logged in between.
 */
export function inOrderOfStart<T extends StartFacts>(records: readonly T[]): readonly T[] {
  const invocations = Map.groupBy(records, (record) => record.invocationRef);
  return [...invocations]
    .map(([invocationRef, attempts]) => ({ invocationRef, attempts: byAttempt(attempts) }))
    .sort(byFirstAttempt)
    .flatMap(({ attempts }) => attempts);
}

/** What of a record says when its attempt started. */
export type StartFacts = Pick<AttemptFacts, 'invocationRef' | 'attempt' | 'eventLogOffset' | 'dispatchedAt'>;

interface StartedInvocation<T> {
  readonly invocationRef: InvocationRef;
  readonly attempts: readonly T[];
}

function byAttempt<T extends StartFacts>(attempts: readonly T[]): readonly T[] {
  return attempts.toSorted((a, b) => a.attempt - b.attempt);
}

function byFirstAttempt(a: StartedInvocation<StartFacts>, b: StartedInvocation<StartFacts>): number {
  const [first, second] = [a.attempts[0], b.attempts[0]];
  if (first === undefined || second === undefined) return 0;
  return (
    first.eventLogOffset - second.eventLogOffset ||
    compareText(first.dispatchedAt, second.dispatchedAt) ||
    compareText(a.invocationRef, b.invocationRef)
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
