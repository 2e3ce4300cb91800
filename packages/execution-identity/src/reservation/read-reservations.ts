import { join } from 'node:path';
import { listFolder, readTextFile } from '@bailiwick/durable-files';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import type { ReservationFile } from './select-reservation.ts';

// A real reservation has under 2 kB; the bound keeps a wrong file from being read whole.
const MAX_RESERVATION_BYTES = 1024 * 1024;

/**
 * Every `*.json` of a reservation root, in the order of their names; a missing root has none. A file that can't be read
 * or isn't JSON stops the dispatch by name (TR-2): RESERVATION_UNREADABLE with its `path` and the reason as `cause`.
 * Changes no file: a reservation is consumed by claiming its dispatch id.
 */
export async function readReservations(root: string): Promise<readonly ReservationFile[]> {
  const files: ReservationFile[] = [];
  for (const name of await namesIn(root)) {
    const path = join(root, name);
    const text = await readOrThrow(path);
    // Gone since the listing: whoever removed it took it out of the choice.
    if (text !== undefined) files.push({ path, value: parseOrThrow(text, path) });
  }
  return files;
}

async function namesIn(root: string): Promise<readonly string[]> {
  try {
    return (await listFolder(root)).filter((name) => name.endsWith('.json'));
  } catch (cause) {
    throw unreadable(root, "the reservation root can't be listed", cause);
  }
}

async function readOrThrow(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, { maxBytes: MAX_RESERVATION_BYTES });
  } catch (cause) {
    throw unreadable(path, "can't be read as text", cause);
  }
}

function parseOrThrow(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, 'is not JSON', cause);
  }
}

function unreadable(path: string, what: string, cause: unknown): IdentityError {
  const hint = 'look at the file, then mend it or move it away; nothing was dispatched';
  return new IdentityError(IdentityErrorCode.reservationUnreadable, `${path}: ${what}`, { path, hint, cause });
}
