import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempProject, runCli, runCliJson, type TempProject } from '@bailiwick/test-harness';
import type { Benchmark } from './measure.ts';

const MANY = 10_000;
const FEW = 100;

/** A command's cost must not grow with the attempts that the run holds already. */
export const SCALE: Benchmark = {
  name: 'scale',
  work: `a whole dispatch of one no-op worker in a run of ${MANY} attempts`,
  floorName: `the same in a run of ${FEW}`,
  bar: 1.2,
  run: async (use) => {
    const [large, small] = [await filledProject(MANY), await filledProject(FEW)];
    try {
      return await use({ ours: () => dispatch(large), floor: () => dispatch(small) });
    } finally {
      await large.project.remove();
      await small.project.remove();
    }
  },
};

interface Filled {
  readonly project: TempProject;
  readonly workers: string[];
}

/** Every round dispatches a verifier of its own. */
const VERIFIERS = 24;

async function filledProject(attempts: number): Promise<Filled> {
  const seat = { model: 'codex/gpt-5.5' };
  const team = { implementer: { model: 'claude/sonnet' }, verifiers: Array.from({ length: VERIFIERS }, () => seat) };
  const project = await makeTempProject({ content: 'tiny', config: { team } });
  const { document } = await runCliJson<{ runId: string; runDirectory: string }>(project, [
    'run',
    'create',
    '../TASK.md',
  ]);
  await runCli(project, ['team', 'dispatch', '--workers', 'implementer']);
  await multiply(join(document.runDirectory, 'dispatches'), attempts);
  return { project, workers: Array.from({ length: VERIFIERS }, (_, at) => `verifier-${at + 1}`) };
}

/** Copies of the one settled record under ids of their own: what a long-lived run leaves behind. */
async function multiply(folder: string, attempts: number): Promise<void> {
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const text = await readFile(join(folder, name), 'utf8');
  for (let at = 2; at <= attempts; at += 1) {
    const rename = (value: string): string => value.replaceAll('.implementer.1', `.implementer.${at}`);
    await writeFile(join(folder, rename(name)), rename(text));
  }
}

async function dispatch({ project, workers }: Filled): Promise<void> {
  const worker = workers.shift();
  const result = await runCli(project, ['team', 'dispatch', '--workers', worker ?? 'none', '--json']);
  if (result.exitCode !== 0) throw new Error(`the dispatch failed: ${result.stdout}${result.stderr}`);
}
