import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { type DispatchRecord, resultLinkOf, resultsFolderOf } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';

/** Leads the invocation's results to this attempt; a link that can't be made is reported, not fatal (ST-3). */
export function linkResult(
  context: DispatchContext,
  record: DispatchRecord,
): { readonly ok: boolean; readonly reason: string } {
  const link = resultLinkOf(context.layout, record.invocationRef);
  const staging = `${link}.${record.attempt}.staging`;
  try {
    rmSync(staging, { force: true });
    symlinkSync(basename(resultsFolderOf(context.layout, record.dispatchId)), staging);
    renameSync(staging, link);
    return { ok: true, reason: '' };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
