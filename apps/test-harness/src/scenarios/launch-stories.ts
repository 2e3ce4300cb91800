import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCli, runCliJson, startCli } from '../cli/built-cli.ts';
import { waitUntil } from '../project/process-table.ts';
import { git } from '../project/temp-project.ts';
import type { Story } from './story.ts';
import {
  awaitRun,
  differs,
  dispatchWorkers,
  leftAlive,
  makeRun,
  namesIn,
  type Refusal,
  type ShownRun,
  showRun,
  startedAgents,
  wrapAgent,
} from './story-steps.ts';

const TWO_VERIFIERS = {
  config: {
    team: {
      implementer: { model: 'claude/sonnet' },
      verifiers: [{ model: 'codex/gpt-5.5' }, { model: 'gemini/gemini-2.5-pro' }],
    },
  },
} as const;

/** How workers come to run, one at a time or many at once. */
export const launchStories: readonly Story[] = [
  {
    name: 'an agent begins only when its record is there',
    shows: [5],
    run: async (project) => {
      const seenPath = join(dirname(project.root), 'seen.txt');
      await wrapAgent(
        project,
        'claude',
        `ls "${project.root}"/.git/bailiwick/runs/*/dispatches > "${seenPath}"; exec "$@"`,
      );
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer' });
      const seen = (await readFile(seenPath, 'utf8')).split('\n').filter((name) => name.endsWith('.json'));
      return differs('records that the agent saw', await namesIn(join(run.runDirectory, 'dispatches')), seen);
    },
  },
  {
    name: 'six worktrees made at once are six worktrees',
    shows: [11],
    run: async (project) => {
      const runs = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(() => runCli(project, ['run', 'create', '../TASK.md', '--isolation', 'worktree'])),
      );
      const listed = (await git(project.root, 'worktree', 'list')).split('\n').length;
      return [
        ...differs(
          'exit codes',
          Array(6).fill(0),
          runs.map(({ exitCode }) => exitCode),
        ),
        ...differs('worktrees', 7, listed),
      ];
    },
  },
  {
    name: 'workers of one name in two runs: one run’s end takes nothing of the other',
    shows: [2, 37, 38],
    run: async (project) => {
      const [a, b] = [
        await makeRun(project, ['--isolation', 'worktree']),
        await makeRun(project, ['--isolation', 'worktree']),
      ];
      const both = await Promise.all([a, b].map((run) => dispatchWorkers(project, run, { workers: 'implementer' })));
      await writeFile(join(b.worktree ?? '', 'mine.js'), 'not committed\n');
      const discarded = await runCli(project, ['run', 'discard', a.runId]);
      await runCli(project, ['run', 'prune', '--yes']);
      const shown = await showRun(project, b);
      return [
        ...differs(
          'dispatches',
          [null, null],
          both.map(({ code }) => code),
        ),
        ...differs(
          'statuses',
          ['completed'],
          (await showRun(project, a)).attempts.map(({ status, reason }) => `${status}${reason}`),
        ),
        ...differs('discard', 0, discarded.exitCode),
        ...differs(
          'the other run',
          ['completed'],
          shown.attempts.map(({ status, reason }) => `${status}${reason}`),
        ),
        ...differs(
          'its uncommitted work',
          'not committed\n',
          await readFile(join(b.worktree ?? '', 'mine.js'), 'utf8').catch(() => 'gone'),
        ),
      ];
    },
  },
  {
    name: 'one of two workers can’t be launched: none lives on, and each has its end',
    shows: [12],
    project: { ...TWO_VERIFIERS, agents: { verifier: { as: 'hang' }, reportWriter: { as: 'hang' } } },
    run: async (project) => {
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer' });
      // Its log can't be opened where a folder lies in its place.
      await mkdir(join(run.runDirectory, 'logs', `${run.runId}.verifier-2.1%7e1%3aattempt-1.log`), { recursive: true });
      const { exitCode, code } = await dispatchWorkers(project, run, { workers: 'verifier-1,verifier-2' });
      const { attempts } = await showRun(project, run);
      return [
        ...differs('dispatch', [1, 'BATCH_ABORTED'], [exitCode, code]),
        ...differs(
          'statuses',
          ['completed', 'error', 'error'],
          attempts.map(({ status }) => status),
        ),
        ...(await leftAlive(run)),
      ];
    },
  },
  {
    name: 'a command that is killed as soon as it has claimed leaves nothing that prepares for ever',
    shows: [14, 15],
    run: async (project) => {
      const run = await makeRun(project);
      const command = startCli(project, ['team', 'dispatch', '--workers', 'implementer', '--run', run.runId]);
      await waitUntil('the record is there', async () =>
        (await namesIn(join(run.runDirectory, 'dispatches'))).some((name) => /^[^.].*\.json$/.test(name)),
      );
      command.kill('SIGKILL');
      await command;
      await awaitRun(project, run);
      const first = (await showRun(project, run)).attempts[0];
      const { exitCode, document } = await runCliJson<ShownRun>(project, ['run', 'resume', run.runId]);
      return [
        ...(first?.status === 'error' || first?.status === 'completed'
          ? []
          : [`the attempt is left "${first?.status}"`]),
        ...differs('resume', [0, 'verified'], [exitCode, document.state]),
        ...(await leftAlive(run)),
      ];
    },
  },
  {
    name: 'a prompt above the limit of one argument reaches the agent',
    shows: [16],
    run: async (project) => {
      await writeFile(
        join(dirname(project.root), 'TASK.md'),
        `# Make the test pass\n\n${'It must pass. '.repeat(15_000)}\n`,
      );
      const run = await makeRun(project);
      const { exitCode } = await dispatchWorkers(project, run, { workers: 'implementer' });
      return differs('exit code', 0, exitCode);
    },
  },
  {
    name: 'a model that nobody knows starts nothing',
    shows: [20, 25],
    project: { config: { team: { implementer: { model: 'claude/nobody' }, verifiers: [] } } },
    run: async (project) => {
      const { exitCode, document } = await runCliJson<Refusal>(project, ['run', 'start', '../TASK.md']);
      return [
        ...differs('refusal', [2, 'MODEL_UNKNOWN'], [exitCode, document.error?.code]),
        ...differs('agents that began', [], await startedAgents(project)),
      ];
    },
  },
  {
    name: 'no more workers at a time than was asked for',
    shows: [],
    project: TWO_VERIFIERS,
    run: async (project) => {
      const notes = join(dirname(project.root), 'notes.txt');
      const line = `echo begin >> "${notes}"; sleep 0.3; "$@"; code=$?; echo end >> "${notes}"; exit $code`;
      for (const agent of ['codex', 'gemini']) await wrapAgent(project, agent, line);
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer' });
      const { exitCode } = await dispatchWorkers(project, run, {
        workers: 'verifier-1,verifier-2',
        flags: ['--max-concurrent', '1'],
      });
      const seen = (await readFile(notes, 'utf8')).trim().split('\n');
      return [...differs('exit code', 0, exitCode), ...differs('order', ['begin', 'end', 'begin', 'end'], seen)];
    },
  },
];
