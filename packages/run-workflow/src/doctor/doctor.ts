import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoundaryMode } from '@bailiwick/dispatch';
import { tryLock } from '@bailiwick/durable-files';
import type { Project } from '../project/find-project.ts';
import { examineAgents } from './examine-agents.ts';
import { examineBoundary } from './examine-boundary.ts';
import { type ConfigFound, examineConfig } from './examine-config.ts';
import { examineDisk } from './examine-disk.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { versionOf } from './version-of.ts';

const OLDEST_GIT = [2, 31] as const;

/** Checks what runs need here; starts no agent but for its version and for a commit in a repository of its own. `projectError` is why no project was found. */
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
  /** What agents inherit. */
  readonly environment: Readonly<Record<string, string>>;
  readonly userHome: string;
}): Promise<readonly Finding[]> {
  const git = await examineGit(o.path);
  const mode = boundaryModeOf(o.config);
  return [
    examinePlatform(o.platform),
    examineNode(o.nodeVersion),
    git,
    await examineProject(o.project, o.projectError),
    ...(o.config === null ? [] : examineConfig(o.config)),
    ...(o.project === null ? [] : await examineDisk(o.project.stateRoot)),
    ...(await examineBoundary({ ...o, projectRoot: o.project?.root ?? null, mode })),
    ...(await examineAgents({ ...o, environment: { ...o.environment, PATH: o.path }, mode })),
  ];
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
