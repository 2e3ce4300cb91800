import { join } from 'node:path';
import type { DispatchContext } from '@bailiwick/dispatch';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { readTextFile } from '@bailiwick/durable-files';
import { displayPath } from '@bailiwick/mutation-audit';
import { quoted } from './prompt-text.ts';

/** How much of one worker's hand-in goes into the report writer's prompt. */
const MAX_EXCERPT_CHARACTERS = 20_000;

/** What earlier workers handed in, with the facts of record beside it; foreign text is quoted. */
export async function reportDossier(context: DispatchContext, records: readonly DispatchRecord[]): Promise<string> {
  const done = records.filter((record) => record.role !== 'report-writer');
  const parts = await Promise.all(done.map((record) => partOf(context, record)));
  return parts.join('\n\n');
}

async function partOf(context: DispatchContext, record: DispatchRecord): Promise<string> {
  const workerResult = record.result?.artifacts.find((artifact) => artifact.path === record.workerResultPath);
  const text =
    workerResult === undefined
      ? undefined
      : await readTextFile(join(context.layout.runDirectory, workerResult.copy)).catch(() => undefined);
  return [
    `### ${record.executionLabel}, attempt ${record.attempt}`,
    facts(record),
    quoted((text ?? 'nothing was handed in').slice(0, MAX_EXCERPT_CHARACTERS)),
  ].join('\n\n');
}

function facts(record: DispatchRecord): string {
  const audit = record.contract?.audit ?? null;
  const changed =
    audit === null || audit.changedPaths.length === 0
      ? 'none'
      : audit.changedPaths.map((row) => displayPath(row.path)).join(', ');
  return [
    `- status: ${record.status}${record.reason === '' ? '' : ` (${oneLine(record.reason)})`}`,
    `- verdict: ${record.result?.verdict ?? 'none given'}`,
    `- summary: ${oneLine(record.result?.summary ?? 'none given').slice(0, 500)}`,
    `- changed paths: ${oneLine(changed)}`,
    `- audit: ${audit?.status ?? 'none'}`,
    `- model: ${record.modelRef}, served: ${record.servedModel?.normalizedModelRef ?? 'unknown'}`,
  ].join('\n');
}

/** Foreign words among our own lines: whatever breaks a line becomes a space. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_EXCERPT_CHARACTERS);
}
