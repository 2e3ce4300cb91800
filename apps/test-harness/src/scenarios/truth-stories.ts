import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCliJson } from '../cli/built-cli.ts';
import { git } from '../project/temp-project.ts';
import type { Story } from './story.ts';
import { differs, dispatchWorkers, makeRun, namesIn, type ShownRun, showRun, wrapAgent } from './story-steps.ts';

/** The part of `run verify --json` that stories look at. */
interface Verification {
  readonly holds: boolean;
  readonly seals: number;
  readonly differences: readonly { readonly code: string; readonly file: string }[];
  readonly verdicts: readonly { readonly state: string }[];
}

/** What is said of a run is what was so. */
export const truthStories: readonly Story[] = [
  {
    name: 'an environment variable names another model: the agent doesn’t get it',
    shows: [24],
    run: async (project) => {
      const seenPath = join(dirname(project.root), 'environment.txt');
      await wrapAgent(project, 'claude', `env > "${seenPath}"; exec "$@"`);
      const poisoned = { ...project, environment: { ...project.environment, ANTHROPIC_MODEL: 'haiku' } };
      const run = await makeRun(poisoned);
      const { exitCode } = await dispatchWorkers(poisoned, run, { workers: 'implementer' });
      const inherited = (await readFile(seenPath, 'utf8'))
        .split('\n')
        .filter((line) => line.startsWith('ANTHROPIC_MODEL='));
      return [...differs('exit code', 0, exitCode), ...differs('what it inherited', [], inherited)];
    },
  },
  {
    name: 'whatever is altered after the settlement is named: a result, a record, a verdict of another tree',
    shows: [43],
    run: async (project) => {
      const { document: run } = await runCliJson<ShownRun>(project, ['run', 'start', '../TASK.md']);
      const verify = async () => (await runCliJson<Verification>(project, ['run', 'verify', run.runId])).document;
      const before = await verify();
      await appendFile(join(project.root, 'src', 'one.js'), '// after the verdict\n');
      const stale = await verify();
      const [folder = ''] = (await namesIn(join(run.runDirectory, 'results'))).filter((name) =>
        name.includes('verifier'),
      );
      const result = join('results', folder, 'result.json');
      await appendFile(join(run.runDirectory, result), ' ');
      const after = await verify();
      return [
        ...differs(
          'verified at first',
          [true, 3, ['current']],
          [before.holds, before.seals, before.verdicts.map(({ state }) => state)],
        ),
        ...differs('after an edit', [true, ['stale']], [stale.holds, stale.verdicts.map(({ state }) => state)]),
        ...differs(
          'after the alteration',
          [['file-differs', result]],
          after.differences.map(({ code, file }) => [code, file]),
        ),
      ];
    },
  },
  {
    name: 'what a person had not committed is the baseline, and stays the person’s',
    shows: [],
    run: async (project) => {
      await appendFile(join(project.root, 'src', 'one.js'), '// mine\n');
      await writeFile(join(project.root, 'src', 'new.js'), '// mine too\n');
      const { exitCode, document } = await runCliJson<ShownRun>(project, ['run', 'start', '../TASK.md']);
      return [
        ...differs('run', [0, 'verified', []], [exitCode, document.state, document.changedPaths]),
        ...differs(
          'status',
          [' M src/one.js', '?? src/new.js'],
          (await git(project.root, 'status', '--porcelain')).split('\n').filter((line) => line.includes('src/')),
        ),
      ];
    },
  },
  {
    name: 'a person edits while a worker runs: the audit claims no worker did it, and the edit stays',
    shows: [36],
    project: { agents: { implementer: { as: 'slow', delayMs: 700 } } },
    run: async (project) => {
      const run = await makeRun(project);
      const edit = 'export const one = 2;\n';
      const [{ exitCode }] = await Promise.all([
        dispatchWorkers(project, run, { workers: 'implementer', flags: ['--no-wait'] }).then(async (dispatched) => {
          await writeFile(join(project.root, 'src', 'one.js'), edit);
          return dispatched;
        }),
      ]);
      await runCliJson(project, ['team', 'await', '--run', run.runId]);
      const { attempts } = await showRun(project, run);
      const records = await namesIn(join(run.runDirectory, 'dispatches'));
      const record: {
        contract: { audit: { attribution: string; changedPaths: readonly { path: string; attribution: string }[] } };
      } = JSON.parse(await readFile(join(run.runDirectory, 'dispatches', records[0] ?? ''), 'utf8'));
      const ofEdit = record.contract.audit.changedPaths.filter(({ path }) => path === 'src/one.js');
      return [
        ...differs('dispatch', 0, exitCode),
        ...differs('attempts', 1, attempts.length),
        ...differs(
          'attribution of the edit',
          ['candidates'],
          ofEdit.map(({ attribution }) => attribution),
        ),
        ...differs('the edit', edit, await readFile(join(project.root, 'src', 'one.js'), 'utf8')),
      ];
    },
  },
];
