import { join } from 'node:path';
import { sourceDigestOf } from '@bailiwick/dispatch';
import { isDurableFileError, readTextFile, writeTextFile } from '@bailiwick/durable-files';
import type { StoredRun } from '../select-run.ts';
import { reportPathOf } from '../summary/finish-report.ts';
import { renderReport } from './render-report.ts';
import type { ReportFacts } from './report-facts.ts';

/** Where the page lies. */
export interface SavedReport {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes a run's report, of the run as it is on the disk now; into the run's folder where no path is named. What is there is replaced.
 * Throws DurableFileError as `writeTextFile`.
 */
export async function saveReport(
  run: StoredRun,
  o: Pick<ReportFacts, 'madeAt' | 'madeBy'> & { readonly path?: string | undefined },
): Promise<SavedReport> {
  const page = renderReport(await gatherReport(run, o));
  const path = o.path ?? join(run.layout.runDirectory, 'report.html');
  await writeTextFile(path, page, { mode: 0o644 });
  return { path, bytes: Buffer.byteLength(page) };
}

/** The facts as they are on the disk now. What can't be read of task, report or tree is absent, and said to be. */
async function gatherReport(
  { layout, manifest, records, unaudited = [], unreadable }: StoredRun,
  { madeAt, madeBy }: Pick<ReportFacts, 'madeAt' | 'madeBy'>,
): Promise<ReportFacts> {
  return {
    ...{ manifest, records, unaudited, unreadable },
    taskText: await textOrNull(manifest.taskPath),
    reportText: await textOrNull(reportPathOf(layout)),
    sourceDigest: await sourceDigestOf(manifest).catch(() => null),
    ...{ madeAt, madeBy },
  };
}

async function textOrNull(path: string): Promise<string | null> {
  try {
    return (await readTextFile(path)) ?? null;
  } catch (error) {
    if (isDurableFileError(error)) return null;
    throw error;
  }
}
