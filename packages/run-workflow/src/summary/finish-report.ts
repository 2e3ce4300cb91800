import { join } from 'node:path';
import type { PostProcessing } from '@bailiwick/dispatch';
import {
  type DispatchRecord,
  finishedReportPathOf,
  type RunLayout,
  type RunManifest,
  surveyRecords,
  surveyUnaudited,
  type UnauditedRecord,
  type Unreadable,
} from '@bailiwick/dispatch-state';
import { ensureFolder, isDurableFileError, readTextFile, writeTextFile } from '@bailiwick/durable-files';
import { type AttemptSummary, summariseRun } from './run-summary.ts';

/** Where a run's finished report lies: the facts of record first, then what the report writer wrote. */
export function reportPathOf(layout: RunLayout): string {
  return join(layout.runDirectory, 'report.md');
}

/** The step of a report writer's post-processing after which there is a finished report. */
export const FACTS_WRITTEN = 'write-facts';

/**
 * The report writer's post-processing (ST-3): its text must be readable and say something; the finished report sets the facts of
 * record above it, which no worker wrote. It is kept twice: as the attempt's, which is sealed with it and never changed, and as the
 * run's, which a later one replaces.
 */
export async function finishReport(o: {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
  readonly record: DispatchRecord;
  readonly reportCopyPath: string;
}): Promise<PostProcessing> {
  const text = await readReport(o.reportCopyPath);
  if (text.trim() === '')
    return { ok: false, steps: ['read-report'], reason: `the report is empty or not UTF-8: ${o.reportCopyPath}` };
  const { records, unreadable } = await surveyRecords(o.layout);
  const unaudited = await surveyUnaudited(o.layout);
  const others = records.filter((record) => record.dispatchId !== o.record.dispatchId);
  const facts = factsOf(o.manifest, {
    records: others,
    unaudited: unaudited.records,
    unreadable: [...unreadable, ...unaudited.unreadable],
  });
  const finished = finishedReportPathOf(o.layout, o.record.dispatchId);
  await ensureFolder(o.layout.reportsFolder);
  for (const path of [finished, reportPathOf(o.layout)])
    await writeTextFile(path, `${facts}\n\n${text.trimEnd()}\n`, { mode: 0o644 });
  return { ok: true, steps: ['read-report', FACTS_WRITTEN], reason: '', files: [finished] };
}

async function readReport(path: string): Promise<string> {
  try {
    return (await readTextFile(path)) ?? '';
  } catch (error) {
    if (isDurableFileError(error)) return '';
    throw error;
  }
}

function factsOf(
  manifest: RunManifest,
  o: {
    readonly records: readonly DispatchRecord[];
    readonly unaudited: readonly UnauditedRecord[];
    readonly unreadable: readonly Unreadable[];
  },
): string {
  const { unreadable } = o;
  const { attempts } = summariseRun({ ...o, manifest, reportPath: null });
  const head =
    '| worker | attempt | status | model | served by | audit | changed paths |\n| --- | --- | --- | --- | --- | --- | --- |';
  return [
    `# Run ${manifest.runId}`,
    'Facts of record. No worker wrote this part.',
    [head, ...attempts.map(factRow)].join('\n'),
    ...unreadable.map(({ path }) => `**A record can't be read, so that its attempt is missing here:** ${path}`),
    '---',
  ].join('\n\n');
}

function factRow(attempt: AttemptSummary): string {
  const cells = [
    attempt.workerId,
    String(attempt.attempt),
    attempt.verdict === null ? attempt.status : `${attempt.status}, says ${attempt.verdict}`,
    attempt.modelRef,
    `${attempt.servedModel} (${attempt.servedModelSource})`,
    attempt.audit,
    attempt.audit === 'unaudited' ? 'unknown' : attempt.changedPaths.join(', ') || 'none',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}
