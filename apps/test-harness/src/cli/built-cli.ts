import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TempProject } from '../project/temp-project.ts';

/** What a call of the command line came to. */
export interface CliResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const CLI_TIMEOUT_MS = 120_000;

/** Names another build of the command line than the one that is installed beside the harness. */
export const CLI_OVERRIDE = 'BAILIWICK_HARNESS_CLI';

/** The entry of the built command line: the one that is installed beside the harness, unless the environment names another. */
export function builtCliPath(): string {
  const override = process.env[CLI_OVERRIDE];
  if (override !== undefined && override !== '') return override;
  const manifest = createRequire(import.meta.url).resolve('bailiwick/package.json');
  return join(manifest, '..', 'dist', 'main.js');
}

/** Starts the built command line in a project, in an environment of its own; nothing is inherited. */
export function startCli(project: TempProject, args: readonly string[], timeoutMs = CLI_TIMEOUT_MS) {
  return execa(process.execPath, [builtCliPath(), ...onBackend(project, args)], {
    cwd: project.root,
    env: project.environment,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: timeoutMs,
    forceKillAfterDelay: false,
  });
}

/** Commands that start workers are told where, unless they say it themselves. */
const STARTING: readonly string[] = ['run start', 'run resume', 'team dispatch'];

function onBackend({ backend }: TempProject, args: readonly string[]): readonly string[] {
  const isStarting = STARTING.includes(args.slice(0, 2).join(' '));
  return backend === undefined || !isStarting || args.includes('--backend') ? args : [...args, '--backend', backend];
}

/** Runs it to its end. */
export async function runCli(project: TempProject, args: readonly string[]): Promise<CliResult> {
  const { exitCode, signal, stdout, stderr } = await startCli(project, args);
  return { exitCode: exitCode ?? null, signal: signal ?? null, stdout, stderr };
}

/** Sees every document that is printed, with the arguments that it was printed for; what it throws fails the call. */
export function onDocument(see: (args: readonly string[], document: unknown) => void): void {
  seeDocument = see;
}

let seeDocument: (args: readonly string[], document: unknown) => void = () => undefined;

/** Runs it with `--json` and reads the one document that it prints. */
export async function runCliJson<T>(
  project: TempProject,
  args: readonly string[],
): Promise<{ exitCode: number | null; document: T }> {
  const result = await runCli(project, withJson(args));
  const document: unknown = parsed(args, result);
  seeDocument(args, document);
  // the caller names the shape that the command promises
  return { exitCode: result.exitCode, document: document as T };
}

/** What stands behind `--` is another program's. */
function withJson(args: readonly string[]): readonly string[] {
  const own = args.includes('--') ? args.indexOf('--') : args.length;
  return [...args.slice(0, own), '--json', ...args.slice(own)];
}

function parsed(args: readonly string[], { exitCode, stdout, stderr }: CliResult): unknown {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`bailiwick ${args.join(' ')} printed no JSON (exit ${exitCode}): ${stdout}\n${stderr}`, { cause });
  }
}
