import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';

/**
 * Which attempt of an invocation this is, from 1, counted by marker files beside the ledger. An invocation is known by
 * its result path, which no retry changes. Exactly one process gets each number.
 */
export async function countAttempt(ledgerPath: string, invocation: string): Promise<number> {
  const name = createHash('sha256').update(invocation).digest('hex').slice(0, 16);
  for (let attempt = 1; ; attempt += 1) {
    const marker = path.join(path.dirname(ledgerPath), `attempt-${name}.${attempt}`);
    if (await isFirstToCreate(marker)) return attempt;
  }
}

async function isFirstToCreate(marker: string): Promise<boolean> {
  try {
    await (await open(marker, 'wx')).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
