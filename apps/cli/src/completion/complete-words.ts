import type { Command } from 'commander';
import { type Completion, completionOf } from './candidates.ts';

/**
 * Prints what may follow the words, for the scripts of `completion`: a line `value<tab>description` for each, then `:files`, `:folders` or
 * `:none` for what the shell is to add. Says nothing else, whatever goes wrong: a person is in the middle of typing.
 */
export async function completeWords(program: Command, words: readonly string[]): Promise<void> {
  const completion = completionOf(program, words);
  const values = await lookUp(completion).catch(() => []);
  const found = values.filter((value) => value.startsWith(completion.typed));
  const lines = [
    ...completion.candidates.map(({ value, description }) => `${completion.kept}${value}\t${description}`),
    ...found.map((value) => `${completion.kept}${value}\t`),
    SHELL_ADDS[completion.expects ?? 'run'],
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const SHELL_ADDS = { file: ':files', folder: ':folders', run: ':none', worker: ':none' } as const;

/** Names that lie on the disk; loaded only here, so that a command or a flag is completed without a look at any of it. */
async function lookUp({ expects, kept, flags }: Completion): Promise<readonly string[]> {
  if (expects !== 'run' && expects !== 'worker') return [];
  const [{ projectOf }, { listRuns }] = await Promise.all([
    import('../find-project.ts'),
    import('@bailiwick/dispatch-state'),
  ]);
  const project = await projectOf(flags.project === undefined ? {} : { project: flags.project });
  const runs = await listRuns(project.stateRoot);
  if (expects === 'run') return runs;
  const run = flags.run === undefined ? runs.at(-1) : runs.find((id) => id === flags.run);
  if (run === undefined) return [];
  await import('../without-jit.ts');
  const { layoutOfRun, loadManifest } = await import('@bailiwick/dispatch-state');
  const { participants } = await loadManifest(layoutOfRun(project.stateRoot, run));
  const taken = new Set(kept.split(','));
  return participants.map(({ workerId }) => workerId).filter((id) => !taken.has(id));
}
