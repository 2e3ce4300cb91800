import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCli, startCli } from '../cli/built-cli.ts';
import { findFencedProcesses, waitUntil } from '../project/process-table.ts';
import { makeTempProject, type TempProject } from '../project/temp-project.ts';
import type { AgentProgram } from './agent-program.ts';
import { type AgentScenario, type ExpectedRecord, modelScenarioOf } from './agent-scenario.ts';
import { type FakeModel, type RecordedRow, startFakeModel } from './fake-model.ts';

/** What came of a program in a scenario. */
export interface Judged {
  /** The last attempt's status, with its reason. */
  readonly outcome: string;
  readonly holds: boolean;
  /** What differs from the defined record; empty where it holds. */
  readonly why: readonly string[];
}

/** The part of `run start --json` that is looked at. */
interface RunDocument {
  readonly runId: string;
  readonly attempts: readonly AttemptRow[];
}

interface AttemptRow {
  readonly status: string;
  readonly reason: string;
  readonly audit: string;
  readonly servedModelSource: string;
  readonly logPath: string;
}

/** Above two attempts at their limits. */
const RUN_TIMEOUT_MS = 12 * 60_000;
/** Below the limits of an attempt that nothing is wrong with. */
const TOOL_RESULT_MS = 4 * 60_000;
/** A key that only the gateway is to have. */
const REAL_KEY = 'sk-known-to-the-gateway-alone';

/** One program in one scenario, through the built command line, against a fake model, in a repository of its own. */
export async function runAgentScenario(
  program: AgentProgram,
  command: readonly string[],
  scenario: AgentScenario,
  logsFolder?: string,
): Promise<Judged> {
  const project = await makeTempProject({ content: 'tiny' });
  const model = await startFakeModel(modelScenarioOf(scenario, program), dirname(project.root));
  try {
    await writeConfig(project, { program, command, scenario, url: model.url });
    return await judge({ program, scenario, project, model, logsFolder });
  } finally {
    await runCli(project, ['team', 'stop']);
    await model.end();
    await project.remove();
  }
}

interface Case {
  readonly program: AgentProgram;
  readonly scenario: AgentScenario;
  readonly project: TempProject;
  readonly model: FakeModel;
  /** Gets the last attempt's log. */
  readonly logsFolder: string | undefined;
}

async function judge(run: Case): Promise<Judged> {
  const { scenario, program, model } = run;
  const before = await untouchedBytes(run);
  const document = await runToItsEnd(run);
  const last = document.attempts.at(-1);
  if (last === undefined) return { outcome: 'none', holds: false, why: ['no attempt was made'] };
  const left = await findFencedProcesses(document.runId);
  const requests = await model.requests();
  const why = [
    ...differences(scenario.expected(program), last, document.attempts.length),
    ...(before === (await untouchedBytes(run)) ? [] : [`${scenario.untouched ?? ''} was written`]),
    ...left.map((row) => `left alive: ${row.pid} ${row.command}`),
    ...keyFindings(requests),
  ];
  await keepLog(run, last);
  return { outcome: `${last.status}: ${last.reason}`, holds: why.length === 0, why };
}

async function runToItsEnd({ project, scenario, model, program }: Case): Promise<RunDocument> {
  const environment = { ...project.environment, MODEL_KEY: REAL_KEY };
  const running = startCli({ ...project, environment }, ['run', 'start', '../TASK.md', '--json'], RUN_TIMEOUT_MS);
  if (scenario.isTerminated === true) await terminateMidWay(model, project, program.readsPromptFile === true ? 2 : 1);
  const { stdout, stderr } = await running;
  try {
    return JSON.parse(stdout) as RunDocument; // what the command promises
  } catch (cause) {
    throw new Error(`run start printed no JSON: ${stdout}\n${stderr}`, { cause });
  }
}

/** Every process of the run's one attempt but the boundary's keeper, which is ours. */
async function terminateMidWay(model: FakeModel, project: TempProject, afterResults: number): Promise<void> {
  const hasResult = async (): Promise<boolean> =>
    (await model.requests()).some(({ toolResults }) => (toolResults ?? 0) >= afterResults);
  await waitUntil('the agent hands back its tool results', hasResult, TOOL_RESULT_MS);
  const [runId] = await readdir(join(project.root, '.git', 'bailiwick', 'runs'));
  if (runId === undefined) throw new Error('the run left no folder');
  for (const { pid, command } of await findFencedProcesses(runId)) {
    if (!/^(\/\S*\/)?bwrap /.test(command)) process.kill(pid, 'SIGTERM');
  }
}

function differences(expected: ExpectedRecord, seen: AttemptRow, attempts: number): readonly string[] {
  const { status, audit, reason, servedModelSource } = expected;
  return [
    ...(status.includes(seen.status) ? [] : [`status: wanted ${status.join(' or ')}, saw ${seen.status}`]),
    ...(audit === undefined || audit.includes(seen.audit)
      ? []
      : [`audit: wanted ${audit.join(' or ')}, saw ${seen.audit}`]),
    ...(expected.attempts === undefined || expected.attempts === attempts
      ? []
      : [`attempts: wanted ${expected.attempts}, saw ${attempts}`]),
    ...(reason === undefined || reason.test(seen.reason) ? [] : [`reason: wanted ${String(reason)}`]),
    ...(servedModelSource === undefined || servedModelSource === seen.servedModelSource
      ? []
      : [`served model from ${seen.servedModelSource}, wanted ${servedModelSource}`]),
  ];
}

async function untouchedBytes({ scenario, project }: Case): Promise<string> {
  if (scenario.untouched === undefined) return '';
  return readFile(join(project.root, scenario.untouched), 'utf8');
}

/** The model server gets the real key from the gateway, and nothing that the agent says holds it. */
function keyFindings(requests: readonly RecordedRow[]): readonly string[] {
  const turns = requests.filter(({ toolResults }) => toolResults !== null);
  const hasKey = turns.every(({ headers }) => Object.values(headers).includes('[key]'));
  const said = JSON.stringify(turns.map(({ body }) => body));
  return [
    ...(turns.length > 0 ? [] : ['its model was never asked']),
    ...(hasKey ? [] : ['its model was asked without a key']),
    ...(said.includes('[key]') || said.includes(REAL_KEY) ? ['the agent knew the real key'] : []),
  ];
}

async function keepLog({ program, scenario, logsFolder }: Case, { logPath }: AttemptRow): Promise<void> {
  if (logsFolder === undefined) return;
  await mkdir(logsFolder, { recursive: true });
  await copyFile(logPath, join(logsFolder, `${program.id}-${program.version}-${scenario.name}.log`));
}

async function writeConfig(
  project: TempProject,
  o: {
    readonly program: AgentProgram;
    readonly command: readonly string[];
    readonly scenario: AgentScenario;
    readonly url: string;
  },
): Promise<void> {
  const { program, command, scenario, url } = o;
  const config = {
    schemaVersion: '1.0',
    team: { implementer: { model: program.modelRef }, verifiers: [] },
    agents: { [program.id]: { command, modelServer: { url, keyVariable: 'MODEL_KEY' } } },
    limits: scenario.limits,
    minimumModelSource: 'wire',
  };
  await writeFile(join(project.root, '.bailiwick', 'config.json'), JSON.stringify(config, undefined, 2));
}
