import { appendFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent.ts';

const DEFAULT_EXTRA_FILE = 'NOTES.md';

/** Appends a line to the extra file of the request, and gives its path relative to the working folder. */
export async function editExtraFile(agent: Agent): Promise<string> {
  const file = agent.request.extraFile ?? DEFAULT_EXTRA_FILE;
  const target = path.join(agent.cwd, file);
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  await appendFile(target, 'Written on the way, outside the plan.\n');
  await agent.tell({ kind: 'edited', path: target, change: isThere ? 'update' : 'add' });
  return file;
}
