import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { providers } from '@bailiwick/agent-providers';
import type { BoundaryMode } from '@bailiwick/dispatch';
import { tryLock } from '@bailiwick/durable-files';
import { findExecutable } from '@bailiwick/process-supervision';
import { execa } from 'execa';
import type { Project } from '../project/find-project.ts';
import { examineBoundary } from './examine-boundary.ts';
import { type ConfigFound, examineConfig } from './examine-config.ts';
import { examineDisk } from './examine-disk.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const OLDEST_GIT = [2, 31] as const;
const VERSION_TIMEOUT_MS = 15_000;

/** Checks what runs need here; starts no agent but for its version. `projectError` is why no project was found. */
export async function examine(o: {
  readonly project: Project | null;
  readonly projectError: string;
  /** Null where there is no project. */
  readonly config: ConfigFound | null;
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly path: string;
  readonly nodeVersion: string;
  readonly platform: string;
  /** Where confined attempts have folders of their own. */
  readonly attemptsFolder: string;
}): Promise<readonly Finding[]> {
  const git = await examineGit(o.path);
  const agents = await Promise.all([...providers.keys()].map((id) => examineAgent(id, o.commands[id], o.path)));
  return [
    examinePlatform(o.platform),
    examineNode(o.nodeVersion),
    git,
    await examineProject(o.project, o.projectError),
    ...(o.config === null ? [] : examineConfig(o.config)),
    ...(o.project === null ? [] : await examineDisk(o.project.stateRoot)),
    ...(await examineBoundary({ ...o, projectRoot: o.project?.root ?? null, mode: boundaryModeOf(o.config) })),
    ...agents.filter((finding) => finding !== null),
    noAgentAtAll(agents),
  ].filter((finding) => finding !== null);
}

function examinePlatform(platform: string): Finding {
  if (platform === 'linux' || platform === 'darwin') return ok('platform', platform);
  return fail('platform', `${platform} is not supported`, 'use Linux, macOS or WSL2');
}

function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isFit = (major === 22 && minor >= 22) || (major === 24 && minor >= 15) || major >= 26;
  return isFit
    ? ok('node', version)
    : fail('node', `${version} is too old or odd`, 'use Node 22.22, 24.15 or 26 and newer');
}

async function examineGit(path: string): Promise<Finding> {
  const version = await versionOf(['git', '--version'], path);
  const numbers = /(\d+)\.(\d+)/.exec(version ?? '');
  if (version === undefined || numbers === null) return fail('git', 'not on PATH', 'install git 2.31 or newer');
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  const isFit = major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
  return isFit ? ok('git', version) : warn('git', version, 'git 2.31 or newer is what this is tested with');
}

async function examineProject(project: Project | null, error: string): Promise<Finding> {
  if (project === null) return warn('project', error, 'go into a git repository, or pass --project DIR');
  try {
    await mkdir(project.stateRoot, { recursive: true, mode: 0o700 });
    await access(project.stateRoot, constants.W_OK);
    tryLock(join(project.stateRoot, 'doctor.lock'))?.release();
    return ok('state', project.stateRoot);
  } catch (cause) {
    return fail(
      'state',
      `${project.stateRoot} can't be written: ${messageOf(cause)}`,
      'check permissions and free space of that folder',
    );
  }
}

function boundaryModeOf(config: ConfigFound | null): BoundaryMode {
  return config !== null && 'config' in config ? (config.config.boundary ?? 'auto') : 'auto';
}

async function examineAgent(id: string, command: readonly string[] | undefined, path: string): Promise<Finding | null> {
  const provider = providers.get(id);
  const program = command?.[0] ?? provider?.program ?? '';
  if (provider === undefined || (await findExecutable(program, path)) === undefined) return null;
  if (command !== undefined) return ok(`agent ${id}`, `started as ${command.join(' ')}`);
  const version = await versionOf([program, ...(provider.versionArgs ?? ['--version'])], path);
  if (version === undefined)
    return warn(`agent ${id}`, 'does not tell its version', `try \`${program} --version\` by hand`);
  return ok(`agent ${id}`, version);
}

function noAgentAtAll(agents: readonly (Finding | null)[]): Finding | null {
  if (agents.some((finding) => finding !== null)) return null;
  return fail(
    'agents',
    'no agent CLI was found',
    `install one of: ${[...providers.keys()].filter((id) => id !== 'custom').join(', ')}`,
  );
}

async function versionOf(command: readonly string[], path: string): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const result = await execa(program, args, {
    reject: false,
    stdin: 'ignore',
    timeout: VERSION_TIMEOUT_MS,
    env: { PATH: path },
  });
  return result.exitCode === 0 ? (result.stdout.split('\n')[0] ?? '') : undefined;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
