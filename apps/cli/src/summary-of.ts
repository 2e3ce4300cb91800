import { access } from 'node:fs/promises';
import type { RunId } from '@bailiwick/execution-identity';
import {
  type Project,
  type RunSummary,
  readRun,
  reportPathOf,
  type StoredRun,
  summariseRun,
} from '@bailiwick/run-workflow';

/** A run's summary as it is on disk now. */
export async function summaryOf(project: Project, runId: RunId): Promise<RunSummary> {
  return summaryOfStored(await readRun(project, runId));
}

/** The summary of a run that was read already. */
export async function summaryOfStored({
  layout,
  manifest,
  records,
  unaudited,
  unreadable,
}: StoredRun): Promise<RunSummary> {
  const reportPath = reportPathOf(layout);
  const isThere = await access(reportPath).then(
    () => true,
    () => false,
  );
  return summariseRun({ manifest, records, unaudited, unreadable, reportPath: isThere ? reportPath : null });
}
