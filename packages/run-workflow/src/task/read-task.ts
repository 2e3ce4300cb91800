import { resolve } from 'node:path';
import { type Digest, digestOfBytes, isDurableFileError, readTextFile } from '@bailiwick/durable-files';
import { RunError } from '../errors.ts';

/** A task is read by people and sent to every worker: a larger one is a file that was named by mistake. */
export const MAX_TASK_BYTES = 1024 * 1024;

/** What is to be done, as its author wrote it. */
export interface Task {
  readonly path: string;
  readonly text: string;
  readonly digest: Digest;
  /** The first heading, else the first line with words; at most 120 characters. */
  readonly title: string;
  /** Paths or globs that the author planned to be changed (`**Paths:** src/a.ts, test/**`); empty: the whole tree. */
  readonly plannedPaths: readonly string[];
}

/** Reads a task file. TASK_MISSING, TASK_EMPTY, TASK_UNREADABLE (not UTF-8, too large, no file, no permission). */
export async function readTask(cwd: string, taskPath: string): Promise<Task> {
  const path = resolve(cwd, taskPath);
  const text = await readText(path);
  if (text === undefined)
    throw new RunError('TASK_MISSING', 'there is no task file', {
      path,
      hint: 'name a Markdown file that says what is to be done',
    });
  if (text.trim() === '')
    throw new RunError('TASK_EMPTY', 'the task file says nothing', { path, hint: 'write down what is to be done' });
  return { path, text, digest: digestOfBytes(text), ...parseTask(text) };
}

/** Title and planned paths of a task's text. */
export function parseTask(text: string): Pick<Task, 'title' | 'plannedPaths'> {
  const lines = text.split(/\r?\n/);
  const heading = lines.find((line) => /^#+\s+\S/.test(line)) ?? lines.find((line) => line.trim() !== '') ?? '';
  const title = heading
    .replace(/^#+\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    // half of a character would be no text any more
    .replace(/[\ud800-\udbff]$/, '');
  const paths = lines.flatMap((line) => /^\*\*Paths:\*\*\s+(.+)$/.exec(line)?.[1]?.split(',') ?? []);
  return { title, plannedPaths: paths.map((path) => path.trim()).filter((path) => path !== '') };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, { maxBytes: MAX_TASK_BYTES, followLinks: true });
  } catch (error) {
    if (!isDurableFileError(error)) throw error;
    throw new RunError('TASK_UNREADABLE', `the task file can't be used: ${error.message}`, {
      path,
      hint: `a task is a UTF-8 text of at most ${MAX_TASK_BYTES / 1024} KiB`,
      cause: error,
    });
  }
}
