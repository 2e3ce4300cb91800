import { DispatchError } from '../errors.ts';

const HEADER = /^\*\*([A-Z][A-Za-z ]*):\*\* (.*)$/s;

/** The headers that every prompt carries exactly once. */
export const REQUIRED_HEADERS = ['Role', 'Task', 'Model', 'Result Path', 'Worker Result Path'] as const;
export type PromptHeaders = Readonly<Record<(typeof REQUIRED_HEADERS)[number], string>>;

/**
 * Reads `**Name:** value` lines; PROMPT_INVALID where a required one is missing, empty or there twice (PL-5). Only a line feed
 * ends a line: what else some programs take for a line break stays within its line, so that quoted text can't hold a header.
 */
export function parsePromptHeaders(text: string, promptPath: string): PromptHeaders {
  const values = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name !== undefined) values.set(name, [...(values.get(name) ?? []), value.trim()]);
  }
  const headers = Object.fromEntries(
    REQUIRED_HEADERS.map((name) => [name, oneOf(values.get(name) ?? [], name, promptPath)]),
  );
  return headers as PromptHeaders; // every required name was set in the line above
}

function oneOf(values: readonly string[], name: string, promptPath: string): string {
  const [value] = values;
  if (values.length === 1 && value !== undefined && value !== '') return value;
  const found = values.length === 0 ? 'is missing' : values.length > 1 ? `stands ${values.length} times` : 'is empty';
  throw new DispatchError('PROMPT_INVALID', `header "${name}" ${found}`, {
    path: promptPath,
    hint: `a prompt has one line "**${name}:** value"`,
  });
}
