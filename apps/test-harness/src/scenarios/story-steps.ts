import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runCli, runCliJson } from '../cli/built-cli.ts';
import { findFencedProcesses } from '../project/process-table.ts';
import type { TempProject } from '../project/temp-project.ts';

/** A run that nothing was dispatched of. */
export interface MadeRun {
  readonly runId: string;
  readonly runDirectory: string;
  readonly worktree: string | null;
}

/** The part of a run's JSON that stories look at. */
export interface ShownRun {
  readonly runId: string;
  readonly runDirectory: string;
  readonly state: string;
  readonly changedPaths: readonly string[];
  readonly attempts: readonly {
    readonly workerId: string;
    readonly attempt: number;
    readonly dispatchId: string;
    readonly status: string;
    readonly reason: string;
    readonly sessionId: string;
    readonly audit: string;
  }[];
}

/** An error as it is printed with `--json`. */
export interface Refusal {
  readonly error?: { readonly code: string; readonly message: string };
}

export async function makeRun(project: TempProject, flags: readonly string[] = []): Promise<MadeRun> {
  return (await runCliJson<MadeRun>(project, ['run', 'create', '../TASK.md', ...flags])).document;
}

export async function showRun(project: TempProject, { runId }: Pick<MadeRun, 'runId'>): Promise<ShownRun> {
  const { document } = await runCliJson<ShownRun & Refusal>(project, ['run', 'show', runId]);
  if (document.error !== undefined) throw new Error(`run show: ${JSON.stringify(document.error)}`);
  return document;
}

/** `team dispatch` of workers; gives how it ended and the code of its error, if any. */
export async function dispatchWorkers(
  project: TempProject,
  { runId }: Pick<MadeRun, 'runId'>,
  o: { readonly workers: string; readonly flags?: readonly string[] },
): Promise<{ readonly exitCode: number | null; readonly code: string | null }> {
  const args = ['team', 'dispatch', '--workers', o.workers, '--run', runId, ...(o.flags ?? [])];
  const { exitCode, document } = await runCliJson<Refusal>(project, args);
  return { exitCode, code: document.error?.code ?? null };
}

/** The exit code of `team await`. */
export async function awaitRun(
  project: TempProject,
  { runId }: Pick<MadeRun, 'runId'>,
  flags: readonly string[] = [],
): Promise<number | null> {
  return (await runCli(project, ['team', 'await', '--run', runId, '--quiet', ...flags])).exitCode;
}

/** Dispatch ids of the agents that ever began, as they noted it themselves. */
export async function startedAgents({ ledgerPath }: TempProject): Promise<readonly string[]> {
  const text = await readFile(ledgerPath, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ')[0] ?? '']));
}

/** What of a run is alive. */
export async function leftAlive({ runId }: Pick<MadeRun, 'runId'>): Promise<readonly string[]> {
  return (await findFencedProcesses(runId)).map(({ pid, command }) => `left alive: ${pid} ${command}`);
}

/** Where an agent of the implementer, or of another seat, leaves what it owes. */
export function dropBox(project: TempProject, { runId }: Pick<MadeRun, 'runId'>, label = 'implementer'): string {
  return join(project.root, '.bailiwick', 'out', `${runId}.${label}.1`);
}

/** Puts a shell line before an agent's program; the program and its arguments are `"$@"` in it. */
export async function wrapAgent(project: TempProject, agent: string, line: string): Promise<void> {
  const path = join(project.root, '.bailiwick', 'config.json');
  const config: { agents: Record<string, { command: readonly string[] }> } = JSON.parse(await readFile(path, 'utf8'));
  const command = config.agents[agent]?.command ?? [];
  config.agents[agent] = { command: ['/bin/sh', '-c', line, 'sh', ...command] };
  await writeFile(path, JSON.stringify(config));
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Says what differs. */
export function differs(what: string, wanted: unknown, seen: unknown): readonly string[] {
  if (isDeepStrictEqual(wanted, seen)) return [];
  return [`${what}: wanted ${JSON.stringify(wanted)}, saw ${JSON.stringify(seen)}`];
}
