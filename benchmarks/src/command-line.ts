import { builtCliPath, makeTempProject, runCli, runCliJson, type TempProject } from '@bailiwick/test-harness';
import { execa } from 'execa';
import type { Benchmark } from './measure.ts';

const node = (args: readonly string[], cwd?: string) => execa(process.execPath, args, cwd === undefined ? {} : { cwd });

/** The command line's own start: what a person waits for at every call. */
export const VERSION: Benchmark = {
  name: 'version',
  work: 'bailiwick --version',
  floorName: 'node -e 0',
  bar: 1.3,
  run: (use) => use({ ours: () => node([builtCliPath(), '--version']), floor: () => node(['-e', '0']) }),
};

/** A status that reads a run's records and logs. */
export const STATUS: Benchmark = {
  name: 'status',
  work: 'team status --json on a run of ten attempts',
  floorName: 'node -e 0',
  bar: 3,
  run: async (use) => {
    const project = await makeTempProject({ content: 'tiny', config: tenVerifiers() });
    try {
      await runTenAttempts(project);
      return await use({
        ours: () => node([builtCliPath(), 'team', 'status', '--json'], project.root),
        floor: () => node(['-e', '0']),
      });
    } finally {
      await project.remove();
    }
  },
};

function tenVerifiers() {
  const seat = { model: 'codex/gpt-5.5' };
  return { team: { implementer: { model: 'claude/sonnet' }, verifiers: Array.from({ length: 9 }, () => seat) } };
}

async function runTenAttempts(project: TempProject): Promise<void> {
  await runCli(project, ['run', 'start', '../TASK.md']);
  const { document } = await runCliJson<{ attempts: readonly unknown[] }>(project, ['run', 'show']);
  if (document.attempts.length !== 10) throw new Error(`the run has ${document.attempts.length} attempts, not ten`);
}
