import { readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runProgram } from './child-program.ts';
import type { TestRun } from './test-run.ts';

/** What a sealing process does: when it says that the attempts ended, and whose they are. */
export interface Sealing {
  readonly finishedAt: string;
  readonly workers: readonly string[];
}

/**
 * Gives the run over and over, as its files were before every step of a process that seals, so as a kill would have left them, and at
 * last as they were after it. One process is enough for all of them.
 */
export async function* asBeforeEachStep(
  { runDirectory, keyFolder }: TestRun,
  { finishedAt, workers }: Sealing,
): AsyncGenerator<'cut off' | 'sealed'> {
  const { output } = await runProgram('seal-together-and-die', [
    runDirectory,
    keyFolder,
    finishedAt,
    'every',
    ...workers,
  ]);
  if (output !== 'sealed') throw new Error(`${runDirectory} was not sealed`);
  const after = `${runDirectory}-after`;
  await rename(runDirectory, after);
  for (const copy of copiesOf(runDirectory)) {
    await rename(copy, runDirectory);
    yield 'cut off';
    await rm(runDirectory, { recursive: true });
  }
  await rename(after, runDirectory);
  yield 'sealed';
}

function copiesOf(runDirectory: string): readonly string[] {
  const folder = dirname(runDirectory);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(runDirectory)}@`));
  return names.map((name) => join(folder, name));
}
