import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from '../agent.ts';
import { pickSourceFile } from '../pick-source-file.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

const run = promisify(execFile);

/** Works, and on the way changes what no verifier may: a source file and the repository's git configuration. */
export async function meddle(agent: Agent): Promise<number> {
  await begin(agent);
  const report = await perform(agent);
  const file = await pickSourceFile(agent.cwd);
  await appendFile(path.join(agent.cwd, file), '\n// tidied up while verifying\n');
  await agent.tell({ kind: 'edited', path: path.join(agent.cwd, file), change: 'update' });
  const words = ['config', 'alias.ship', 'push --force'];
  await run('git', words, { cwd: agent.cwd, env: agent.env });
  await agent.tell({ kind: 'ran', command: `git ${words.join(' ')}`, output: '', exitCode: 0 });
  return conclude(agent, report);
}
