import { isAbsolute, join } from 'node:path';
import type { AgentTranscript } from './provider.ts';

/** Where a program keeps its sessions. */
export interface TranscriptFolder {
  /** Its folder below HOME. */
  readonly home: string;
  /** The variable that moves that folder. */
  readonly variable: string;
  /** Below its folder, for a session. */
  readonly pattern: (sessionId: string) => string;
}

/** The place of a program's transcripts. None is told for an id that could mean other files than those of its session. */
export function transcriptPlace({ home, variable, pattern }: TranscriptFolder): AgentTranscript['placeOf'] {
  return ({ env, sessionId }) => {
    const moved = env[variable];
    const { HOME } = env;
    const folder = moved !== undefined && moved !== '' ? moved : HOME === undefined ? '' : join(HOME, home);
    return isAbsolute(folder) && PLAIN_ID.test(sessionId) ? { folder, pattern: pattern(sessionId) } : undefined;
  };
}

const PLAIN_ID = /^[\w-]+$/;
