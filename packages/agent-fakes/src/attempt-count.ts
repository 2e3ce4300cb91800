import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';

/**
 * Which attempt of an invocation this is, from 1, counted by marker files beside the ledger. An invocation is known by
 * its result path, which no retry changes. Exactly one process gets each number. In a boundary, which keeps it from
 * writing there, it is the number that its dispatch id ends in.
 */
export async function countAttempt(
  ledgerPath: string,
  invocation: string,
  dispatchId: string | undefined,
): Promise<number> {
  try {
    return await countByMarkers(ledgerPath, invocation);
  } catch (error) {
    const told = /-(\d+)$/.exec(dispatchId ?? '')?.[1];
    if (!isReadOnly(error) || told === undefined) throw error;
    return Number(told);
  }
}

/** Whether a write failed because nothing may be written there. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EROFS' || error.code === 'EACCES');
}

async function countByMarkers(ledgerPath: string, invocation: string): Promise<number> {
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
