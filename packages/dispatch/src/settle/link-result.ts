import { rename, rm, symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { type DispatchRecord, resultLinkOf, resultsFolderOf } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';

/** Leads the invocation's results to this attempt; a link that can't be made is reported, not fatal (ST-3). */
export async function linkResult(
  context: DispatchContext,
  record: DispatchRecord,
): Promise<{ readonly ok: boolean; readonly reason: string }> {
  const link = resultLinkOf(context.layout, record.invocationRef);
  const staging = `${link}.${record.attempt}.staging`;
  try {
    await rm(staging, { force: true });
    await symlink(basename(resultsFolderOf(context.layout, record.dispatchId)), staging);
    await rename(staging, link);
    return { ok: true, reason: '' };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
