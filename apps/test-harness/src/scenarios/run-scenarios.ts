import { runCliJson } from '../cli/built-cli.ts';
import { findFencedProcesses } from '../project/process-table.ts';
import { makeTempProject, type TempProject } from '../project/temp-project.ts';
import { type ExpectedAttempt, SCENARIOS, type Scenario } from './scenario-table.ts';

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

/** Runs every scenario, or those that are named, prints the results as JSON and gives the exit code; none at all doesn't hold. */
export async function scenarios(names: readonly string[]): Promise<number> {
  const chosen = SCENARIOS.filter((scenario) => names.length === 0 || names.includes(scenario.name));
  const results: ScenarioResult[] = [];
  for (const scenario of chosen) {
    const result = await runScenario(scenario);
    process.stderr.write(
      `${result.holds ? '✓' : '✗'} ${scenario.name}${result.holds ? '' : `: ${result.why.join('; ')}`}\n`,
    );
    results.push(result);
  }
  process.stdout.write(`${JSON.stringify(results)}\n`);
  return results.length > 0 && results.every((result) => result.holds) ? 0 : 1;
}

/** One scenario, through the built command line, in a repository of its own. */
export async function runScenario(scenario: Scenario): Promise<ScenarioResult> {
  const project = await makeTempProject({
    content: scenario.content ?? 'tiny',
    agents: scenario.agents,
    config: scenario.config ?? {},
  });
  try {
    return { scenario: scenario.name, backend: 'cli-wrapper', ...(await judge(scenario, project)) };
  } finally {
    await project.remove();
  }
}

async function judge(scenario: Scenario, project: TempProject): Promise<Pick<ScenarioResult, 'holds' | 'why'>> {
  const { exitCode, document } = await runCliJson<RunDocument>(project, ['run', 'start', '../TASK.md']);
  const left = await findFencedProcesses(document.runId);
  const why = [
    ...differs('exit code', scenario.exitCode, exitCode),
    ...differs('state', scenario.state, document.state),
    ...scenario.expected.flatMap((expected) => differences(expected, document)),
    ...left.map((row) => `left alive: ${row.pid} ${row.command}`),
  ];
  return { holds: why.length === 0, why };
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
