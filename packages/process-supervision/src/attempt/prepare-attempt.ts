import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { SupervisedJob } from '@bailiwick/dispatch-state';
import { type AgentLog, openAgentLog } from './agent-log.ts';
import { OutputReading } from './output-reading.ts';

/** What an attempt needs besides its process. */
export interface PreparedAttempt {
  readonly reading: OutputReading;
  readonly log: AgentLog;
}

/**
 * Everything that can fail before a process exists: program, folder, provider, selected model, log. Throws with a
 * reason for a person; after it the shell at the gate can't be the first to find out.
 */
export async function prepareAttempt(
  job: SupervisedJob,
  options: { readonly maxLogBytes: number; readonly onMismatch: (reason: string) => void },
): Promise<PreparedAttempt> {
  const reading = new OutputReading(job, options.onMismatch);
  await requireFolder(job.cwd);
  await requireProgram(job);
  return { reading, log: await openAgentLog(job.logPath, options.maxLogBytes) };
}

async function requireFolder(cwd: string): Promise<void> {
  const stats = await stat(cwd).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new Error(`its folder ${cwd} is not there`);
}

async function requireProgram({ argv, env, cwd }: SupervisedJob): Promise<void> {
  const program = argv[0] ?? '';
  const places = program.includes('/') ? [resolve(cwd, program)] : searched(env['PATH'] ?? '', program, cwd);
  for (const place of places) if (await isExecutable(place)) return;
  throw new Error(`program "${program}" is not executable, or not on the worker's PATH`);
}

function searched(path: string, program: string, cwd: string): readonly string[] {
  return path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), program));
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
