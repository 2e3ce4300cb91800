import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent.ts';
import { pickSourceFile } from '../pick-source-file.ts';
import { begin } from './work.ts';

/** Dies in the middle of an edit: half of a file is gone, and no end event comes. */
export async function half(agent: Agent): Promise<number> {
  await begin(agent);
  const file = path.join(agent.cwd, await pickSourceFile(agent.cwd));
  const bytes = await readFile(file).catch(() => Buffer.from('half of an edit\n'));
  await agent.tell({ kind: 'said', text: `I am rewriting ${file}.` });
  await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
  return 1;
}
