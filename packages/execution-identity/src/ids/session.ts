import { parseSessionId, type SessionId } from './ids.ts';

/** What an attempt is given where its agent CLI has no session flag (RT-2). */
export const NO_SESSION_ID = '';

/** The session an attempt was given: one of ours, or none. */
export type GivenSessionId = SessionId | typeof NO_SESSION_ID;

/** A session id or the empty string; what a record keeps and a rebuilt job gets back. Throws SESSION_ID_INVALID. */
export function parseGivenSessionId(value: unknown, where?: string): GivenSessionId {
  return value === NO_SESSION_ID ? NO_SESSION_ID : parseSessionId(value, where);
}
