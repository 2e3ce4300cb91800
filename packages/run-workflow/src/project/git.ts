import { execFile } from 'node:child_process';
import { RunError } from '../errors.ts';

/** Longest that one git call of ours may take; adding a worktree of a very large repository is the slow one. */
const GIT_TIMEOUT_MS = 10 * 60_000;

/** Settings that keep git from running programs that somebody wrote into the repository's configuration. */
const HARDENING = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];

const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** How a git call ended; texts without their last line feed. */
export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git without hooks or a file-system monitor and gives its answer, whatever the exit code. GIT_MISSING without git. */
export async function askGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  const { exitCode, stdout, stderr } = await callGit(cwd, args);
  return { exitCode, stdout: withoutLastLineFeed(stdout), stderr: withoutLastLineFeed(stderr) };
}

/** What git prints, byte for byte: for names that need not be UTF-8. GIT_FAILED, GIT_MISSING. */
export async function askGitBytes(cwd: string, args: readonly string[]): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await callGit(cwd, args);
  if (exitCode === 0) return stdout;
  throw gitFailed(cwd, args, stderr.toString('utf8'));
}

/** Like `askGit`, but a failure is GIT_FAILED with git's own words. */
export async function runGit(cwd: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await askGit(cwd, args);
  if (exitCode === 0) return stdout;
  throw gitFailed(cwd, args, stderr);
}

/** Node's own call, since every command makes one before anything else: a library would be a tenth of a short command's time. */
function callGit(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly stdout: Buffer; readonly stderr: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof callGit>>>();
  const how = {
    cwd,
    env: { ...process.env, ...ENVIRONMENT },
    encoding: 'buffer',
    maxBuffer: Number.POSITIVE_INFINITY,
    timeout: GIT_TIMEOUT_MS,
  } as const;
  const child = execFile('git', [...HARDENING, ...args], how, (error, stdout, stderr) => {
    if (error?.code === 'ENOENT') reject(gitMissing(error));
    else resolve({ exitCode: child.exitCode ?? 1, stdout, stderr });
  });
  child.stdin?.end();
  return promise;
}

function withoutLastLineFeed(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\n$/, '');
}

function gitMissing(cause: Error): RunError {
  return new RunError('GIT_MISSING', 'git is not on PATH', { hint: 'install git 2.31 or newer', cause });
}

function gitFailed(cwd: string, args: readonly string[], stderr: string): RunError {
  return new RunError('GIT_FAILED', `git ${args[0]} failed: ${stderr.split('\n')[0] ?? ''}`, { path: cwd });
}
