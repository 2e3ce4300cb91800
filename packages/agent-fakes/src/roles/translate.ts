import type { Agent } from '../agent.ts';
import type { WorkReport } from './work-report.ts';

const MARKER = /^(\s*(?:#{1,6} |[-*+] |\d+[.)] |> )?)(.*)$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;

/** Marks every line of prose with the target language, `[xx] …`, and leaves the Markdown around it as it is. */
export async function translate(agent: Agent): Promise<WorkReport> {
  const language = agent.prompt.language ?? 'xx';
  const text = translateMarkdown(sourceText(agent), language);
  const summary = `Translated ${text.split('\n').length} lines into ${language}.`;
  await agent.tell({ kind: 'said', text: summary });
  return { isDone: true, summary, notes: [], resultText: () => `${text}\n` };
}

/** What stands in the prompt's section of the source; all of its body where no section is named so. */
function sourceText({ prompt }: Agent): string {
  const { body } = prompt;
  const heading = /^#{1,3} +(?:source|text|report|original)\b.*$/im.exec(body);
  const text = heading === null ? body : body.slice(heading.index + heading[0].length).trim();
  return /^(`{3,}|~{3,})(?:markdown|md)?\n([\s\S]*?)\n\1$/.exec(text)?.[2] ?? text;
}

function translateMarkdown(text: string, language: string): string {
  let isFenced = false;
  const lines = text.split('\n').map((line) => {
    if (FENCE.test(line)) isFenced = !isFenced;
    const [, marker = '', prose = ''] = MARKER.exec(line) ?? [];
    const isProse = !isFenced && /\p{L}/u.test(prose) && !FENCE.test(line) && !prose.startsWith('|');
    return isProse ? `${marker}[${language}] ${prose}` : line;
  });
  return lines.join('\n');
}
