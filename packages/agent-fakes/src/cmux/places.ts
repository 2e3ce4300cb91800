import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cmuxVersion } from './version.ts';

/** Where the app of a version listens, in this home (from 0.64.13 elsewhere than before). */
export function usualSocketPath(home: string, version: string): string {
  return join(usualFolder(home, version), 'cmux.sock');
}

/** Leaves the file that says where the app listens: who has lost its socket looks there. */
export function leaveMarker(home: string, version: string, socketPath: string): void {
  const path = join(usualFolder(home, version), 'last-socket-path');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${socketPath}\n`);
}

function usualFolder(home: string, version: string): string {
  return cmuxVersion(version).listensInStateFolder
    ? join(home, '.local', 'state', 'cmux')
    : join(home, 'Library', 'Application Support', 'cmux');
}
