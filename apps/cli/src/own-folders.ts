import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the key pair of this user's seals lies, out of every project. */
export function keyFolder(): string {
  return join(userStateFolder(), 'bailiwick', 'keys');
}

/** Where confined attempts have folders of their own, out of every project. */
export function attemptsFolder(): string {
  return join(userStateFolder(), 'bailiwick', 'attempts');
}

/** Where runs of projects without git are kept. */
export function userStateFolder(): string {
  return process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state');
}
