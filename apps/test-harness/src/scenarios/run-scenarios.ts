import { type BackendTrial, CLI_WRAPPER, trialsOf } from '../backends/backend-trial.ts';
import { runCliJson } from '../cli/built-cli.ts';
import { findFencedProcesses } from '../project/process-table.ts';
import { makeTempProject, type TempProject } from '../project/temp-project.ts';
import { type ExpectedAttempt, SCENARIOS, type Scenario } from './scenario-table.ts';
import { STORIES } from './stories.ts';
import type { Story } from './story.ts';

export interface ScenarioResult {
  readonly scenario: string;
  readonly backend: string;
  readonly holds: boolean;
  /** What differs from the defined outcome; empty where it holds. */
  readonly why: readonly string[];
}

/** The part of `run start --json` that scenarios look at. */
interface RunDocument {
  readonly runId: string;
  readonly state: string;
  readonly attempts: readonly {
    readonly workerId: string;
    readonly attempt: number;
    readonly status: string;
    readonly reason: string;
    readonly audit: string;
  }[];
}

/**
 * Runs every scenario, or those that are named, on a backend (`--backend B`), prints the results as JSON and gives the exit code;
 * none at all doesn't hold.
 */
export async function scenarios(args: readonly string[]): Promise<number> {
  const { backend, names } = scenarioArguments(args);
  const trials = trialsOf(backend);
  if (trials === undefined) {
    process.stderr.write(`no backend "${backend}": cli-wrapper, cmux-pane\n`);
    return 2;
  }
  const isChosen = ({ name }: { readonly name: string }): boolean => names.length === 0 || names.includes(name);
  const results: ScenarioResult[] = [];
  for (const trial of trials) {
    for (const scenario of SCENARIOS.filter(isChosen)) results.push(told(await runScenario(scenario, trial)));
    for (const story of STORIES.filter(isChosen)) results.push(told(await runStory(story, trial)));
  }
  process.stdout.write(`${JSON.stringify(results)}\n`);
  return results.length > 0 && results.every((result) => result.holds) ? 0 : 1;
}

function told(result: ScenarioResult): ScenarioResult {
  const { scenario, backend, holds, why } = result;
  process.stderr.write(`${holds ? '✓' : '✗'} ${scenario} (${backend})${holds ? '' : `: ${why.join('; ')}`}\n`);
  return result;
}

/** One story, through the built command line, in a repository of its own. */
export async function runStory(story: Story, trial: BackendTrial = CLI_WRAPPER): Promise<ScenarioResult> {
  const project = await makeTempProject({ content: 'tiny', ...story.project });
  return { scenario: story.name, backend: trial.name, ...(await tryOn(trial, project, (seen) => story.run(seen))) };
}

/** One scenario, through the built command line, in a repository of its own. */
export async function runScenario(scenario: Scenario, trial: BackendTrial = CLI_WRAPPER): Promise<ScenarioResult> {
  const project = await makeTempProject({
    content: scenario.content ?? 'tiny',
    agents: scenario.agents,
    config: scenario.config ?? {},
  });
  return {
    scenario: scenario.name,
    backend: trial.name,
    ...(await tryOn(trial, project, (seen) => judge(scenario, seen))),
  };
}

/** Runs something in a project on a backend, and takes the project away. */
async function tryOn(
  trial: BackendTrial,
  project: TempProject,
  run: (project: TempProject) => Promise<readonly string[]>,
): Promise<Pick<ScenarioResult, 'holds' | 'why'>> {
  const { project: seen, leave } = await trial.enter(project);
  try {
    const wrong = await run(seen).catch((error: unknown) => [`it broke off: ${String(error)}`]);
    const why = [...wrong, ...(await leave())];
    return { holds: why.length === 0, why };
  } finally {
    await leave();
    await project.remove();
  }
}

/** `--backend B`, and the names of scenarios. */
function scenarioArguments(args: readonly string[]): { readonly backend: string; readonly names: readonly string[] } {
  const at = args.indexOf('--backend');
  if (at === -1) return { backend: 'cli-wrapper', names: args };
  return { backend: args[at + 1] ?? '', names: args.filter((_, index) => index !== at && index !== at + 1) };
}

async function judge(scenario: Scenario, project: TempProject): Promise<readonly string[]> {
  const { exitCode, document } = await runCliJson<RunDocument>(project, ['run', 'start', '../TASK.md']);
  const left = await findFencedProcesses(document.runId);
  return [
    ...differs('exit code', scenario.exitCode, exitCode),
    ...differs('state', scenario.state, document.state),
    ...scenario.expected.flatMap((expected) => differences(expected, document)),
    ...left.map((row) => `left alive: ${row.pid} ${row.command}`),
  ];
}

function differences(expected: ExpectedAttempt, document: RunDocument): readonly string[] {
  const attempts = document.attempts.filter((attempt) => attempt.workerId === expected.worker);
  const last = attempts.at(-1);
  if (last === undefined) return [`${expected.worker} never ran`];
  return [
    ...differs(`${expected.worker} status (${last.reason})`, expected.status, last.status),
    ...(expected.attempts === undefined
      ? []
      : differs(`${expected.worker} attempts`, expected.attempts, attempts.length)),
    ...(expected.audit === undefined ? [] : differs(`${expected.worker} audit`, expected.audit, last.audit)),
    ...(expected.reason === undefined || expected.reason.test(last.reason)
      ? []
      : [`${expected.worker} reason: ${last.reason}`]),
  ];
}

function differs(what: string, wanted: unknown, seen: unknown): readonly string[] {
  return wanted === seen ? [] : [`${what}: wanted ${String(wanted)}, saw ${String(seen)}`];
}
