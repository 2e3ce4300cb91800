import { setTimeout as pause } from 'node:timers/promises';
import { type CliResult, runCli, startCli } from '../cli/built-cli.ts';
import type { Subject } from './subject.ts';

/** The part of `team await --json` that is looked at. */
interface AwaitDocument {
  readonly ended: string;
  readonly failures: readonly unknown[];
}

const TIMED_OUT = 124;
/** One that is stopped while it settles keeps the others waiting: it lives. They leave after this, and come back later. */
const BESIDE_STOPPED = ['--timeout', '3s'] as const;

/**
 * `team await` twice at once, where wanted beside a third one that is stopped half-way and goes on when the two are through. Gives
 * what is wrong with how they ended.
 */
export async function awaitTwice(subject: Subject, stoppedAfterMs: number | undefined): Promise<readonly string[]> {
  if (stoppedAfterMs === undefined) return wrongEnds(await twice(subject, []), [0, 1]);
  const third = startCli(subject.project, awaitArguments(subject, []));
  await pause(stoppedAfterMs);
  third.kill('SIGSTOP');
  const two = await twice(subject, BESIDE_STOPPED);
  third.kill('SIGCONT');
  const { exitCode, signal, stdout, stderr } = await third;
  const stopped = { exitCode: exitCode ?? null, signal: signal ?? null, stdout, stderr };
  return [...wrongEnds(two, [0, 1, TIMED_OUT]), ...wrongEnds([stopped, await runAwait(subject, [])], [0, 1])];
}

/** Where the kill came before anything was claimed, nothing stands in the way of the same command. */
export async function dispatchAgain({ project, runId, dispatch }: Subject): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await runCli(project, [...dispatch, '--run', runId]);
  return exitCode === 0 ? [] : [`dispatching again ended with ${exitCode}: ${stdout}${stderr}`];
}

function twice(subject: Subject, flags: readonly string[]): Promise<readonly CliResult[]> {
  return Promise.all([runAwait(subject, flags), runAwait(subject, flags)]);
}

function runAwait(subject: Subject, flags: readonly string[]): Promise<CliResult> {
  return runCli(subject.project, awaitArguments(subject, flags));
}

function awaitArguments({ runId }: Subject, flags: readonly string[]): readonly string[] {
  return ['team', 'await', '--run', runId, '--json', ...flags];
}

function wrongEnds(results: readonly CliResult[], exitCodes: readonly number[]): readonly string[] {
  return results.flatMap(({ exitCode, stdout, stderr }) => {
    if (exitCode === null || !exitCodes.includes(exitCode))
      return [`an await ended with ${exitCode}: ${stdout}${stderr}`];
    if (exitCodes.includes(TIMED_OUT) && stdout.includes('LOCK_TIMEOUT')) return []; // the stopped one holds what they need
    const document: AwaitDocument = JSON.parse(stdout);
    return document.failures.length === 0 ? [] : [`an await could not settle: ${stdout}`];
  });
}
