import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { builtCliPath, type CliResult } from '../cli/built-cli.ts';
import { traceNothing } from './strace.ts';
import type { Subject } from './subject.ts';

/** How the processes of one dispatch are traced, as arguments of strace. */
export interface Tracing {
  /** What is asked of the command line; `team dispatch` of the implementer where absent. */
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly supervisor?: { readonly round: number | 'every'; readonly args: readonly string[] };
  /** A module that both load before anything of the bundle. */
  readonly preload?: string;
}

/** A process of a dispatch: the command, or the supervisor of one round, counted from 1. */
export type Victim = { readonly kind: 'command' } | { readonly kind: 'supervisor'; readonly round: number };

/** A command that runs; the pid is its own. */
export interface TracedCommand {
  readonly pid: number | undefined;
  hasEnded: boolean;
  readonly ended: Promise<CliResult>;
}

/** One pool thread, so that calls come in the same order in every run. */
const ONE_POOL_THREAD = 'UV_THREADPOOL_SIZE';
/** A dispatch of the scripted agent takes a second or two, and several times that under a tracer on a busy machine. */
const DISPATCH_TIMEOUT_MS = 180_000;

/**
 * Starts the built command line on the subject's run, with its system calls traced.
 *
 * The supervisor is a program that the command starts through `process.execPath`, and is not to be traced by the command's tracer:
 * counts are per process, and what kills one must not kill the other. So a module that is loaded before the bundle names a
 * script as `process.execPath`, and the script starts the supervisor under a tracer of its own that steps aside (`strace -D`): the
 * pid that the command sees is the supervisor's. The bundle's own files are run as they are shipped.
 */
export async function startTraced(subject: Subject, tracing: Tracing): Promise<TracedCommand> {
  const preload = await writeWrapper(subject, tracing);
  const node = [
    process.execPath,
    `--require=${preload}`,
    builtCliPath(),
    ...(tracing.args ?? subject.dispatch),
    '--run',
    subject.runId,
  ];
  const tracer = [...(tracing.command ?? traceNothing()), '-o', tracePathOf(subject, { kind: 'command' })];
  const child = execa('strace', [...tracer, ...node], {
    cwd: subject.project.root,
    env: { ...subject.project.environment, [ONE_POOL_THREAD]: '1' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: DISPATCH_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = child.then(({ exitCode, signal, stdout, stderr }) => ({
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    stdout,
    stderr,
  }));
  const running: TracedCommand = { pid: child.pid, hasEnded: false, ended };
  void running.ended.then(() => {
    running.hasEnded = true;
  });
  return running;
}

/** Where the trace of a process lies; the last two lines of a process that was killed or stopped say so. */
export function tracePathOf({ scratch }: Subject, victim: Victim): string {
  return join(scratch, victim.kind === 'command' ? 'command.trace' : `round.${victim.round}/trace`);
}

/** Pids of the supervisors that a traced dispatch started, in the order of the rounds. */
export async function supervisorPids({ scratch }: Subject): Promise<readonly number[]> {
  const rounds = (await readdir(scratch)).filter((name) => /^round\.\d+$/.test(name)).sort();
  const texts = await Promise.all(rounds.map((name) => readFile(join(scratch, name, 'pid'), 'utf8').catch(() => '')));
  return texts.map(Number).filter((pid) => pid > 0);
}

async function writeWrapper({ scratch }: Subject, { supervisor, preload }: Tracing): Promise<string> {
  const script = join(scratch, 'supervisor.sh');
  const common = join(scratch, 'common.cjs');
  await writeFile(common, preload ?? '');
  await writeFile(script, wrapperScript(scratch, supervisor, [process.execPath, `--require=${common}`]));
  await chmod(script, 0o755);
  const own = join(scratch, 'command.cjs');
  await writeFile(own, `process.execPath = ${JSON.stringify(script)};\nrequire(${JSON.stringify(common)});\n`);
  return own;
}

function wrapperScript(scratch: string, supervisor: Tracing['supervisor'], program: readonly string[]): string {
  const node = program.map(quoted).join(' ');
  const tracer = ['strace', ...(supervisor?.args ?? traceNothing())].map(quoted).join(' ');
  const isTraced = supervisor?.round === 'every' ? 'true' : `[ $round = ${supervisor?.round ?? 0} ]`;
  return `#!/bin/sh
export ${ONE_POOL_THREAD}=1
round=1
while ! mkdir ${quoted(scratch)}/round.$round 2>/dev/null; do round=$((round + 1)); done
echo $$ > ${quoted(scratch)}/round.$round/pid
if ${isTraced}; then exec ${tracer} -o ${quoted(scratch)}/round.$round/trace ${node} "$@"; fi
exec ${node} "$@"
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
