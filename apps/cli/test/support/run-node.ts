import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** How a program ended, and what it printed. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Runs the built command line in a folder, with nothing inherited but the way to git. */
export async function runMain(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runNode([MAIN, ...args], cwd, env);
}

/** Runs a program of test/programs over the app's sources. */
export async function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const program = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  return runNode(['--conditions=@bailiwick/source', program, ...args], process.cwd(), env);
}

async function runNode(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: cwd, XDG_STATE_HOME: cwd, GIT_CEILING_DIRECTORIES: cwd, ...env },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, stdout, stderr };
}
