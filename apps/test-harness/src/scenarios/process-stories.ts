import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { runCli, runCliJson, startCli } from '../cli/built-cli.ts';
import { endProcess, findFencedProcesses, findSupervisors, waitUntil } from '../project/process-table.ts';
import type { Story } from './story.ts';
import {
  awaitRun,
  differs,
  dispatchWorkers,
  leftAlive,
  makeRun,
  type ShownRun,
  showRun,
  startedAgents,
} from './story-steps.ts';

/** Whose processes end, and whose don't. */
export const processStories: readonly Story[] = [
  {
    name: 'the orchestrator is killed: its agents rewrite nothing after the next command has come',
    shows: [27, 28, 32],
    project: { agents: { implementer: { as: 'ignore-sigterm' } } },
    run: async (project) => {
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] });
      for (const { pid } of await findSupervisors(project.root)) endProcess(pid);
      const exitCode = await awaitRun(project, run);
      const { attempts } = await showRun(project, run);
      return [...differs('await and status', [1, 'error'], [exitCode, attempts[0]?.status]), ...(await leftAlive(run))];
    },
  },
  {
    name: 'stopping ends the run’s agent, and no other one of the same name',
    shows: [29],
    project: { agents: { implementer: { as: 'hang' } } },
    run: async (project) => {
      const run = await makeRun(project);
      const [program = '', ...args] = fakeAgentCommand({ speak: 'claude', as: 'hang' });
      const own = spawn(program, args, {
        cwd: project.root,
        env: project.environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await once(own, 'spawn'); // it waits for its prompt
      try {
        await dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] });
        await runCli(project, ['team', 'stop', '--run', run.runId, '--grace', '200ms']);
        return [
          ...(own.exitCode === null && own.signalCode === null ? [] : ['the person’s own agent was ended']),
          ...(await leftAlive(run)),
        ];
      } finally {
        own.kill('SIGKILL');
        await once(own, 'close');
      }
    },
  },
  {
    name: 'a stop outlives the command: nothing starts again, and what came of it until then is told',
    shows: [31],
    project: { agents: { implementer: { as: 'hang' } } },
    run: async (project) => {
      const started = startCli(project, ['run', 'start', '../TASK.md', '--json', '--quiet']);
      await waitUntil('the agent runs', async () => (await startedAgents(project)).length > 0);
      const runId = (await startedAgents(project))[0]?.split('.')[0] ?? '';
      await runCli(project, ['team', 'stop', '--run', runId, '--grace', '200ms']);
      const { exitCode, stdout } = await started;
      const document: ShownRun = JSON.parse(stdout);
      const later = await dispatchWorkers(project, { runId }, { workers: 'verifier-1' });
      return [
        ...differs('run start', [1, 'stopped'], [exitCode, document.state]),
        ...differs(
          'its attempts',
          ['stopped'],
          document.attempts.map(({ status }) => status),
        ),
        ...differs('a later dispatch', { exitCode: 2, code: 'WORKER_STOPPED' }, later),
        ...differs('agents that began', 1, (await startedAgents(project)).length),
        ...(await leftAlive({ runId })),
      ];
    },
  },
  {
    name: 'a process that left its session and holds the pipe delays nobody',
    shows: [30],
    project: { agents: { implementer: { as: 'grandchild' } } },
    run: async (project) => {
      const run = await makeRun(project);
      const { exitCode } = await dispatchWorkers(project, run, { workers: 'implementer' });
      const { document } = await runCliJson<ShownRun>(project, ['run', 'show', run.runId]);
      return [
        ...differs('exit code and status', [0, 'completed'], [exitCode, document.attempts[0]?.status]),
        ...differs('processes left', [], await findFencedProcesses(run.runId)),
      ];
    },
  },
];
