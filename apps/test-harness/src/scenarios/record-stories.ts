import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCliJson } from '../cli/built-cli.ts';
import { findSupervisors, waitUntil } from '../project/process-table.ts';
import type { Story } from './story.ts';
import {
  awaitRun,
  differs,
  dispatchWorkers,
  dropBox,
  leftAlive,
  makeRun,
  namesIn,
  type ShownRun,
  showRun,
  startedAgents,
  wrapAgent,
} from './story-steps.ts';

/** Who runs what, how often, and whose result counts. */
export const recordStories: readonly Story[] = [
  {
    name: 'a result that an earlier holder of the name left is nobody’s result',
    shows: [1, 9, 40],
    project: { agents: { implementer: { as: 'nothing' } } },
    run: async (project) => {
      const run = await makeRun(project);
      await mkdir(dropBox(project, run), { recursive: true });
      await writeFile(join(dropBox(project, run), 'result.json'), '{"implementation":{"summary":"done"}}');
      await writeFile(join(dropBox(project, run), 'worker-result.md'), 'DONE\n');
      const { exitCode } = await dispatchWorkers(project, run, { workers: 'implementer' });
      const { attempts } = await showRun(project, run);
      const kept = await namesIn(join(run.runDirectory, 'leftovers'));
      return [
        ...differs('exit code', 1, exitCode),
        ...differs(
          'statuses',
          ['error', 'error'],
          attempts.map(({ status }) => status),
        ),
        ...differs('leftovers kept', 1, kept.length),
      ];
    },
  },
  {
    name: 'four dispatchers for one worker start one agent',
    shows: [3],
    run: async (project) => {
      const run = await makeRun(project);
      const all = await Promise.all([1, 2, 3, 4].map(() => dispatchWorkers(project, run, { workers: 'implementer' })));
      const codes = all.map(({ code }) => code).filter((code) => code !== null);
      return [
        ...differs('refusals', Array(3).fill('ATTEMPT_ALREADY_CLAIMED'), codes),
        ...differs('agents that began', 1, (await startedAgents(project)).length),
      ];
    },
  },
  {
    name: 'what is done is not done again by resuming, awaiting or dispatching',
    shows: [4],
    run: async (project) => {
      const { document } = await runCliJson<ShownRun>(project, ['run', 'start', '../TASK.md']);
      const before = await startedAgents(project);
      const resumed = await runCliJson<ShownRun>(project, ['run', 'resume', document.runId]);
      const again = await dispatchWorkers(project, document, { workers: 'implementer' });
      return [
        ...differs('state', ['verified', 'verified'], [document.state, resumed.document.state]),
        ...differs('dispatching again', { exitCode: 2, code: 'ATTEMPT_ALREADY_CLAIMED' }, again),
        ...differs('agents that began', before, await startedAgents(project)),
      ];
    },
  },
  {
    name: 'a result that came while nobody waited and nothing ran is settled whenever somebody comes',
    shows: [6, 8],
    run: async (project) => {
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] });
      await waitUntil('its supervisor has gone', async () => (await findSupervisors(project.root)).length === 0);
      const exitCode = await awaitRun(project, run);
      const { attempts } = await showRun(project, run);
      return differs('await and status', [0, 'completed'], [exitCode, attempts[0]?.status]);
    },
  },
  {
    name: 'a check that runs out declares nobody dead',
    shows: [7],
    run: async (project) => {
      const goPath = join(dirname(project.root), 'go');
      await wrapAgent(project, 'claude', `until [ -e "${goPath}" ]; do sleep 0.05; done; exec "$@"`);
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] });
      const early = [
        await awaitRun(project, run, ['--timeout', '50ms']),
        await awaitRun(project, run, ['--timeout', '50ms']),
      ];
      await writeFile(goPath, '');
      const late = await awaitRun(project, run);
      const { attempts } = await showRun(project, run);
      return [
        ...differs('awaits', [124, 124, 0], [...early, late]),
        ...differs(
          'statuses',
          ['completed'],
          attempts.map(({ status }) => status),
        ),
        ...differs('agents that began', 1, (await startedAgents(project)).length),
      ];
    },
  },
  {
    name: 'attempts are counted over all processes, and each is told of once',
    shows: [10, 44, 45],
    project: { agents: { implementer: { as: 'nothing' } } },
    run: async (project) => {
      const run = await makeRun(project);
      await dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] });
      await Promise.all([1, 2, 3].map(() => awaitRun(project, run)));
      await awaitRun(project, run);
      await runCliJson(project, ['run', 'resume', run.runId]);
      const { attempts } = await showRun(project, run);
      const [first, second] = attempts;
      const events = await eventsOf(run.runDirectory);
      return [
        ...differs('agents that began', 2, (await startedAgents(project)).length),
        ...differs(
          'attempts',
          [1, 2],
          attempts.map(({ attempt }) => attempt),
        ),
        ...differs(
          'events that stand twice',
          [],
          events.filter((event, at) => events.indexOf(event) !== at),
        ),
        ...(first === undefined || first.sessionId === '' || first.sessionId === second?.sessionId
          ? ['the retry has the session of the attempt before it, or none']
          : []),
        ...(await leftAlive(run)),
      ];
    },
  },
];

async function eventsOf(runDirectory: string): Promise<readonly string[]> {
  const [, ...lines] = (await readFile(join(runDirectory, 'lead-events.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const event: { type: string; details: { dispatchId: string } } = JSON.parse(line);
    return `${event.type} ${event.details.dispatchId}`;
  });
}
