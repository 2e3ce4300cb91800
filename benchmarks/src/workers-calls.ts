import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type CallCounts, rounded } from './measure.ts';

/** Between looks at these two, a traced program does what is counted. */
export const BEGIN = '/bailiwick-counted-from-here';
export const END = '/bailiwick-counted-to-here';

const PROGRAM = fileURLToPath(new URL('./workers-batch-program.ts', import.meta.url));
const REPLACES = ['rename', 'renameat', 'renameat2', 'link', 'linkat'];
const FLUSHES = ['fsync', 'fdatasync'];
const TRACED = ['?stat', '?newfstatat', '?statx', 'execve', ...[...REPLACES, ...FLUSHES].map((name) => `?${name}`)];

/** What each attempt of such a batch costs besides time, counted in a traced run of its own; nothing where strace isn't there. */
export async function countedCalls(count: number): Promise<{ readonly perAttempt?: CallCounts }> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-trace-'));
  const trace = join(folder, 'calls');
  const program = [process.execPath, '--conditions=@bailiwick/source', PROGRAM, String(count)];
  try {
    await execa('strace', ['-f', '-qq', '-o', trace, '-e', `trace=${TRACED.join(',')}`, ...program]);
    return { perAttempt: countCalls(await readFile(trace, 'utf8'), count) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A line of strace with process and name of a call that succeeded, or whose result comes in a later line. */
const BEGUN = /^(\d+) +(\w+)\(.*(?:= 0|<unfinished \.\.\.>)$/;
/** A file that only gets its name for the time being. */
const STAGING = /\.staging-[^"]*", [^"]*"[^"]*\.staging-[^"]*"|"[^"]*\.staging-[0-9a-f]+"(?:, \d+)?\)? +(?:= 0|<)/;

/** A process counts once, however many programs it becomes. */
function countCalls(trace: string, attempts: number): CallCounts {
  const lines = trace.split('\n');
  const from = lines.findIndex((line) => line.includes(BEGIN));
  const to = lines.findIndex((line) => line.includes(END));
  const calls = lines
    .slice(from, to)
    .filter((line) => !STAGING.test(line))
    .map((line) => BEGUN.exec(line));
  const named = (names: readonly string[]) => calls.filter((call) => names.includes(call?.[2] ?? ''));
  const share = (number: number): number => rounded(number / attempts);
  return {
    processStarts: share(new Set(named(['execve']).map((call) => call?.[1])).size),
    replaces: share(named(REPLACES).length),
    flushes: share(named(FLUSHES).length),
  };
}
