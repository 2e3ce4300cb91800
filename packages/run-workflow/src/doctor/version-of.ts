import { execa } from 'execa';

const VERSION_TIMEOUT_MS = 15_000;

/** The first line that a program says when it is asked for its version; undefined where it can't be asked. */
export async function versionOf(command: readonly string[], path: string): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const result = await execa(program, args, {
    reject: false,
    stdin: 'ignore',
    timeout: VERSION_TIMEOUT_MS,
    env: { PATH: path },
  });
  return result.exitCode === 0 ? (result.stdout.split('\n')[0] ?? '') : undefined;
}
