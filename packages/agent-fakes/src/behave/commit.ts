import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

const run = promisify(execFile);
const AUTHOR = [
  '-c',
  'user.name=Fake Agent',
  '-c',
  'user.email=fake-agent@example.invalid',
  '-c',
  'commit.gpgSign=false',
];

/** Works, and commits every tracked change; an empty commit where there is none, so that HEAD always moves. */
export async function commit(agent: Agent): Promise<number> {
  await begin(agent);
  const report = await perform(agent);
  const words = ['commit', '--all', '--allow-empty', '-m', report.summary];
  const { stdout } = await run('git', [...AUTHOR, ...words], { cwd: agent.cwd, env: agent.env });
  await agent.tell({ kind: 'ran', command: 'git commit --all', output: stdout, exitCode: 0 });
  return conclude(agent, report);
}
