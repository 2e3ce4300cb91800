import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DispatchContext, owedEvents } from '@bailiwick/dispatch';
import {
  appendLeadEvents,
  claimAttempt,
  closeAttempt,
  createRun,
  type DispatchRecord,
  resultLinkOf,
  resultsFolderOf,
  writeRecord,
} from '@bailiwick/dispatch-state';
import { openRun, type Project, type StoredRun } from '../../src/index.ts';
import { CONFIG, projectAt, type SampleRun, sampleRun } from './sample-run.ts';
import { tempFolder } from './temp-folder.ts';

/** A folder that looks like a project's, without the cost of a repository. */
export function bareProject(): Project {
  return projectAt(tempFolder());
}

/** Puts a run and its records on disk. */
export async function storeRun(
  project: Project,
  o: { readonly runId?: string; readonly records?: (run: SampleRun) => readonly DispatchRecord[] } = {},
): Promise<StoredRun> {
  const run = sampleRun(project, o.runId === undefined ? {} : { runId: o.runId });
  const records = o.records?.(run) ?? [];
  await createRun(run.layout, run.manifest);
  await writeFile(run.manifest.taskPath, '# Fix the cart\n\nIt adds up wrong.\n');
  for (const record of records) await storeRecord(run, record);
  return { ...run, records, unreadable: [] };
}

/** Claims an attempt and, where it has ended, writes its end. */
export async function storeRecord({ layout }: SampleRun, record: DispatchRecord): Promise<void> {
  const { status } = record;
  await claimAttempt(layout, { ...record, ...(status === 'launching' ? {} : AS_CLAIMED) });
  if (status === 'launching') return;
  await writeRecord(layout, record);
  await closeAttempt(layout, record.dispatchId);
}

/** What settlement leaves besides the record of an attempt that has ended: its events, and the link to its results. */
export async function storeDerived({ layout }: SampleRun, record: DispatchRecord): Promise<void> {
  await appendLeadEvents(layout.eventLogPath, owedEvents(record, '2026-11-29T16:18:31.000Z', null));
  if (record.result?.link?.ok !== true) return;
  const link = resultLinkOf(layout, record.invocationRef);
  await rm(link, { force: true });
  await symlink(basename(resultsFolderOf(layout, record.dispatchId)), link);
}

const AS_CLAIMED = {
  status: 'launching',
  reason: '',
  finishedAt: null,
  lifecycle: null,
  contract: null,
  result: null,
  retry: null,
  endProof: null,
  stoppedBy: null,
  evidence: null,
} as const;

/** The run as dispatching sees it; with no backend, so that nothing can be started. */
export async function contextOf(project: Project, run: SampleRun): Promise<DispatchContext> {
  return openRun({
    project: { ...project, gitCommonDirectory: null },
    config: CONFIG,
    runId: run.manifest.runId,
    surroundings: {
      environment: {},
      runtimeFolder: null,
      backends: new Map(),
      now: () => new Date(),
      keyFolder: join(project.stateRoot, 'keys'),
      attemptsFolder: '/var/empty/attempts',
    },
  });
}

/** Puts a text where a record says that a copy of an artifact lies. */
export async function storeCopy({ layout }: SampleRun, copy: string, text: string): Promise<string> {
  const path = join(layout.runDirectory, copy);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
