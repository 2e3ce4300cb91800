import type { AgentObservation } from '../observation.ts';
import { nameOf } from './readable-text.ts';

/** Remembers the last few values, so that what a program repeats with every event is reported once. */
export interface News {
  /** True for a value that isn't among the last ones. */
  isNew(value: string): boolean;
}

// Events of one message come close together; subagents interleave a handful of messages.
const REMEMBERED_VALUES = 64;

/** Nothing is known yet. */
export function trackNews(remembered: number = REMEMBERED_VALUES): News {
  const known = new Set<string>();
  return {
    isNew(value) {
      if (known.has(value)) return false;
      known.add(value);
      const [oldest] = known;
      if (known.size > remembered && oldest !== undefined) known.delete(oldest);
      return true;
    },
  };
}

/** Reports the session id when it is new or changes. */
export function trackSession(): (sessionId: string | undefined) => readonly AgentObservation[] {
  const last = trackNews(1);
  return (sessionId) => {
    if (sessionId === undefined || sessionId === '' || !last.isNew(sessionId)) return [];
    return [{ kind: 'session', sessionId: nameOf(sessionId) }];
  };
}
