/** What a prompt says: its header lines, and its sections by heading. */
export interface TaskPrompt {
  readonly text: string;
  readonly role?: string;
  readonly task?: string;
  readonly model?: string;
  readonly resultPath?: string;
  readonly workerResultPath?: string;
  readonly language?: string;
  /** Everything that is not a header line. */
  readonly body: string;
  readonly sections: readonly PromptSection[];
}

export interface PromptSection {
  readonly heading: string;
  readonly body: string;
}

const HEADER = /^\*\*([A-Za-z][A-Za-z ]*):\*\*[ \t]*(.*)$/;

/** Reads headers `**Name:** value` at line starts (the first of a name counts) and `##` sections outside fences. */
export function parsePrompt(text: string): TaskPrompt {
  const lines = text.split(/\r?\n/);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !headers.has(name)) headers.set(name, unquote(value.trim()));
  }
  const body = lines
    .filter((line) => !HEADER.test(line))
    .join('\n')
    .trim();
  return { text, body, sections: splitSections(body), ...namedHeaders(headers) };
}

function unquote(value: string): string {
  return /^`[^`]*`$/.test(value) ? value.slice(1, -1) : value;
}

function namedHeaders(headers: ReadonlyMap<string, string>): Partial<TaskPrompt> {
  const names = {
    role: 'Role',
    task: 'Task',
    model: 'Model',
    resultPath: 'Result Path',
    workerResultPath: 'Worker Result Path',
    language: 'Language',
  } as const;
  const found = Object.entries(names).flatMap(([key, name]) => {
    const value = headers.get(name);
    return value === undefined || value === '' ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}

function splitSections(body: string): readonly PromptSection[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of body.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : line.trim() === fence ? undefined : fence;
    const heading = fence === undefined ? /^#{2,3} +(.+)$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) sections.push({ heading: heading.trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({ heading, body: lines.join('\n').trim() }));
}
