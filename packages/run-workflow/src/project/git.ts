import { execa } from 'execa';
import { RunError } from '../errors.ts';

/** Longest that one git call of ours may take; adding a worktree of a very large repository is the slow one. */
const GIT_TIMEOUT_MS = 10 * 60_000;

/** Settings that keep git from running programs that somebody wrote into the repository's configuration. */
const HARDENING = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];

const HOW = {
  reject: false,
  stdin: 'ignore',
  timeout: GIT_TIMEOUT_MS,
  env: { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
} as const;

/** How a git call ended; texts without their last line feed. */
export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git without hooks or a file-system monitor and gives its answer, whatever the exit code. GIT_MISSING without git. */
export async function askGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  const result = await execa('git', [...HARDENING, ...args], { cwd, ...HOW, stripFinalNewline: true });
  refuseMissingGit(result);
  return { exitCode: result.exitCode ?? 1, stdout: result.stdout, stderr: result.stderr };
}

/** What git prints, byte for byte: for names that need not be UTF-8. GIT_FAILED, GIT_MISSING. */
export async function askGitBytes(cwd: string, args: readonly string[]): Promise<Buffer> {
  const result = await execa('git', [...HARDENING, ...args], {
    cwd,
    ...HOW,
    encoding: 'buffer',
    stripFinalNewline: false,
  });
  refuseMissingGit(result);
  if (result.exitCode === 0) return Buffer.from(result.stdout);
  throw gitFailed(cwd, args, Buffer.from(result.stderr).toString('utf8'));
}

/** Like `askGit`, but a failure is GIT_FAILED with git's own words. */
export async function runGit(cwd: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await askGit(cwd, args);
  if (exitCode === 0) return stdout;
  throw gitFailed(cwd, args, stderr);
}

function refuseMissingGit(result: {
  readonly exitCode?: number | undefined;
  readonly code?: string | undefined;
}): void {
  if (result.exitCode === undefined && result.code === 'ENOENT')
    throw new RunError('GIT_MISSING', 'git is not on PATH', { hint: 'install git 2.31 or newer', cause: result });
}

function gitFailed(cwd: string, args: readonly string[], stderr: string): RunError {
  return new RunError('GIT_FAILED', `git ${args[0]} failed: ${stderr.split('\n')[0] ?? ''}`, { path: cwd });
}
