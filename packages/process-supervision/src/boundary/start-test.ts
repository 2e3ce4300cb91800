import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { bwrapArguments, ownIds } from './bwrap-arguments.ts';
import { type Ended, runBriefly } from './run-briefly.ts';

/** A program's start where workers run, and what to start. */
export interface StartQuestion {
  /** bubblewrap's program, absolute. */
  readonly program: string;
  /** One that is over at once by itself, such as the question for a version. */
  readonly command: readonly string[];
  readonly path: string;
  /** Variables that would lead it away from the HOME that it gets. */
  readonly unsetEnv: readonly string[];
  readonly timeoutMs: number;
}

/** What it printed, or the last thing that it said of why not. */
export type StartTest =
  | { readonly kind: 'starts'; readonly output: string }
  | { readonly kind: 'fails'; readonly reason: string };

/** Starts a program in the boundary, without input and a terminal, with a fresh HOME as the only place to write. Never throws. */
export async function testStart(question: StartQuestion): Promise<StartTest> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-start-')));
  try {
    const { exitCode, output, said } = await startIn(folder, question);
    if (exitCode === 0) return { kind: 'starts', output };
    return { kind: 'fails', reason: said === '' ? `exit code ${exitCode ?? 'none'}` : said };
  } catch (error) {
    return { kind: 'fails', reason: messageOf(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function startIn(home: string, { program, command, path, unsetEnv, timeoutMs }: StartQuestion): Promise<Ended> {
  const boundary = { program, mounts: [{ kind: 'writable', path: home } as const], extraBinds: [], hidden: [] };
  const environment = [...unsetEnv.map((name) => `--unset=${name}`), `HOME=${home}`, `TMPDIR=${home}`, `PATH=${path}`];
  return runBriefly([...bwrapArguments({ ...boundary, ...ownIds() }), 'env', ...environment, ...command], {
    timeoutMs,
  });
}
