import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent.ts';
import { isTestFile } from '../repair/failing-places.ts';
import { readTestCommand } from '../run-test.ts';
import { resultJson, type WorkReport } from './work-report.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const NOT_LOOKED_INTO = new Set(['.git', '.bailiwick', 'node_modules', 'dist']);
const MAX_NAMED_FILES = 10;

/** Looks at the tree, changes nothing, and says what it is made of. */
export async function analyse(agent: Agent): Promise<WorkReport> {
  const files = await sourceFiles(agent.cwd);
  await agent.tell({ kind: 'ran', command: 'ls -R', output: files.join('\n'), exitCode: 0 });
  const [sources, tests] = [false, true].map((wanted) =>
    files.filter((file) => isTestFile(file, agent.cwd) === wanted),
  );
  const command = await readTestCommand(agent.cwd);
  const summary = [
    `${sources?.length ?? 0} source files and ${tests?.length ?? 0} test files.`,
    command === undefined ? 'There is no test command.' : `The test command is \`${command}\`.`,
  ].join(' ');
  const notes = files.slice(0, MAX_NAMED_FILES).map((file) => `\`${path.relative(agent.cwd, file)}\``);
  return { isDone: true, summary, notes, resultText: () => resultJson({ analysis: { summary } }) };
}

/** The paths of all sources below a folder. */
async function sourceFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) return NOT_LOOKED_INTO.has(entry.name) ? [] : sourceFiles(full);
      return entry.isFile() && SOURCE.test(entry.name) ? [full] : [];
    }),
  );
  return nested.flat();
}
