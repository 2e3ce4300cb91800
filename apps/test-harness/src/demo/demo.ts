import { execa } from 'execa';
import pc from 'picocolors';
import { runCli, runCliJson, startCli } from '../cli/built-cli.ts';
import { git, makeTempProject, type ProjectOptions, type TempProject } from '../project/temp-project.ts';
import { type DemoRow, printTable } from './demo-table.ts';

/** What the demo reads off \`run start --json\`. */
interface RunDocument {
  readonly runId: string;
  readonly state: string;
  readonly reportPath: string | null;
  readonly changedPaths: readonly string[];
  readonly attempts: readonly {
    readonly workerId: string;
    readonly status: string;
    readonly verdict: string | null;
    readonly servedModel: string;
    readonly servedModelSource: string;
    readonly audit: string;
    readonly boundary: string;
    readonly endProof: string;
    readonly changedPaths: readonly string[];
    readonly violations: readonly { readonly path: string; readonly message: string }[];
  }[];
}

/**
 * The main job, twice, on a repository of its own: once with honest agents, in a boundary where this machine has one, once with a
 * verifier that meddles, and nothing but the audit to see it. The agents are scripted programs that get the prompt on their standard input and know nothing else. Gives the exit code.
 */
export async function demo(): Promise<number> {
  const honest = await withProject({ config: { boundary: 'auto' } }, honestRun);
  const meddler = { agents: { verifier: { as: 'meddle' } }, config: { boundary: 'off' } } as const;
  const meddling = await withProject(meddler, meddlingRun);
  const rows = [...honest, ...meddling];
  say('what was to be seen, and what was seen');
  printTable(rows);
  return rows.every((row) => row.holds) ? 0 : 1;
}

async function honestRun(project: TempProject): Promise<readonly DemoRow[]> {
  say('a repository with a failing test');
  const before = await testExit(project);
  say('bailiwick run start TASK.md — three agents: one implements, one verifies, one reports');
  const exitCode = await showRun(project);
  const { document: run } = await runCliJson<RunDocument>(project, ['run', 'show']);
  const holds = await heldHere(project);
  say('the change, as git sees it');
  process.stdout.write(`${await git(project.root, 'diff', '--', 'src')}\n`);
  const after = await testExit(project);
  const [implementer, verifier] = run.attempts;
  return [
    row('the test failed before the run', 'exit 1', `exit ${before}`),
    row('the run is verified', 'exit 0, verified', `exit ${exitCode}, ${run.state}`),
    row('the test passes after it', 'exit 0', `exit ${after}`),
    row('only the implementer changed source', 'implementer', changers(run).join(', ')),
    row('the model that served is known', 'stream', implementer?.servedModelSource ?? 'none'),
    row('the verifier ran the test itself', 'pass', verifier?.verdict ?? 'none'),
    row('a report was written', 'yes', run.reportPath === null ? 'no' : 'yes'),
    row('the workers were held by', holds.boundary, distinct(run.attempts.map(({ boundary }) => boundary))),
    row('their end is known by', holds.endProof, distinct(run.attempts.map(({ endProof }) => endProof))),
  ];
}

/** What `doctor` finds that this machine can hold. */
async function heldHere(project: TempProject): Promise<{ readonly boundary: string; readonly endProof: string }> {
  type Doctor = { readonly findings: readonly { readonly check: string; readonly level: string }[] };
  const { document } = await runCliJson<Doctor>(project, ['doctor']);
  const works = document.findings.some(({ check, level }) => check === 'boundary' && level === 'ok');
  return works ? { boundary: 'bubblewrap', endProof: 'namespace' } : { boundary: 'none', endProof: 'search' };
}

async function meddlingRun(project: TempProject): Promise<readonly DemoRow[]> {
  say('the same again, the boundary switched off, with a verifier that edits source and adds a git alias');
  const exitCode = await showRun(project);
  const { document: run } = await runCliJson<RunDocument>(project, ['run', 'show']);
  const paths = run.attempts.flatMap((attempt) => attempt.violations.map((violation) => violation.path));
  return [
    row('the run is stopped', 'exit 1, failed', `exit ${exitCode}, ${run.state}`),
    row('the edited source is named', 'yes', paths.some((path) => path.startsWith('src/')) ? 'yes' : 'no'),
    row('the git alias is named', 'yes', paths.some((path) => path.endsWith('.git/config')) ? 'yes' : 'no'),
    row('no report was written', 'yes', run.reportPath === null ? 'yes' : 'no'),
  ];
}

async function showRun(project: TempProject): Promise<number | null> {
  const running = startCli({ ...project, environment: { ...project.environment, ...colorOf() } }, [
    'run',
    'start',
    '../TASK.md',
  ]);
  running.stdout?.pipe(process.stdout);
  running.stderr?.pipe(process.stderr);
  return (await running).exitCode ?? null;
}

async function testExit(project: TempProject): Promise<number | undefined> {
  const result = await execa('node', ['--test'], {
    cwd: project.root,
    reject: false,
    stdin: 'ignore',
    env: project.environment,
    extendEnv: false,
  });
  const failing = result.stdout.split('\n').filter((line) => /^(# |ℹ )(pass|fail) /.test(line));
  process.stdout.write(`${failing.join('  ').replaceAll(/# |ℹ /g, '')}\n`);
  return result.exitCode;
}

async function withProject<T>(options: ProjectOptions, use: (project: TempProject) => Promise<T>): Promise<T> {
  const project = await makeTempProject(options);
  try {
    return await use(project);
  } finally {
    await runCli(project, ['team', 'stop']);
    await project.remove();
  }
}

function changers(run: RunDocument): readonly string[] {
  return run.attempts
    .filter((attempt) => attempt.changedPaths.some((path) => path.startsWith('src/')))
    .map((attempt) => attempt.workerId);
}

function distinct(words: readonly string[]): string {
  return [...new Set(words)].join(', ');
}

function row(what: string, wanted: string, seen: string): DemoRow {
  return { what, wanted, seen, holds: wanted === seen };
}

function colorOf(): Readonly<Record<string, string>> {
  return pc.isColorSupported ? { FORCE_COLOR: '1' } : {};
}

function say(line: string): void {
  process.stdout.write(`\n${pc.bold(pc.cyan('▸'))} ${pc.bold(line)}\n`);
}
