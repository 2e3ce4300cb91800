import type { Agent } from '../agent.ts';
import type { PromptSection } from '../prompt.ts';
import type { WorkReport } from './work-report.ts';

const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm;
const TELLS_OF_A_WORKER = /\b(?:results?|implement\w*|verif\w*|analys\w*)\b/i;

/** Writes a Markdown report from nothing but the prompt: its task, and what its sections quote of the workers. */
export async function report(agent: Agent): Promise<WorkReport> {
  const rows = agent.prompt.sections.flatMap(rowsOf);
  const summary = `Reported on ${rows.length} ${rows.length === 1 ? 'result' : 'results'}.`;
  await agent.tell({ kind: 'said', text: summary });
  return { isDone: true, summary, notes: [], resultText: () => reportText(agent.prompt.task, rows) };
}

interface ReportRow {
  readonly who: string;
  readonly outcome: string;
  readonly said: string;
  readonly details: readonly string[];
}

function reportText(task: string | undefined, rows: readonly ReportRow[]): string {
  const lines = ['# Report', '', `**Task:** ${task ?? 'not named'}`, ''];
  if (rows.length === 0) lines.push('The prompt held no worker’s result.');
  else lines.push('| Who | Outcome | What was said |', '| --- | --- | --- |', ...rows.map(tableRow));
  for (const { who, details } of rows) if (details.length > 0) lines.push('', `## ${who}`, '', ...details);
  return `${lines.join('\n')}\n`;
}

function tableRow({ who, outcome, said }: ReportRow): string {
  return `| ${[who, outcome, said].map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

/** The workers' results in a section: its JSON blocks of a known shape, else its prose where it speaks of a worker. */
function rowsOf(section: PromptSection): readonly ReportRow[] {
  const blocks = [...section.body.matchAll(FENCED)].map(([, , text]) => text ?? '');
  const documents = [...blocks, section.body].flatMap((text) => parseObject(text));
  const rows = documents.flatMap((document) => rowOfDocument(section.heading, document));
  if (rows.length > 0) return rows;
  const prose = (blocks[0] ?? section.body).trim();
  if (prose === '' || !TELLS_OF_A_WORKER.test(section.heading)) return [];
  return [{ who: section.heading, outcome: 'told', said: prose.split('\n')[0] ?? '', details: prose.split('\n') }];
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): readonly Fields[] {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? [value] : [];
  } catch {
    return [];
  }
}

function rowOfDocument(heading: string, document: Fields): readonly ReportRow[] {
  const { implementation, verification, analysis } = document;
  if (isFields(verification)) {
    const checks = listOf(verification['checks']).map(
      (check) => `- \`${String(check['command'])}\` exited with ${String(check['exitCode'])}`,
    );
    return [{ who: heading, outcome: String(verification['verdict']), said: summaryOf(verification), details: checks }];
  }
  if (isFields(implementation)) {
    const edits = listOf(implementation['outOfPlanEdits']).map(
      (edit) => `- outside the plan: \`${String(edit['file'])}\`, ${String(edit['reason'])}`,
    );
    return [{ who: heading, outcome: 'done', said: summaryOf(implementation), details: edits }];
  }
  return isFields(analysis) ? [{ who: heading, outcome: 'analysed', said: summaryOf(analysis), details: [] }] : [];
}

function summaryOf(part: Fields): string {
  return typeof part['summary'] === 'string' ? part['summary'] : 'no summary';
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
