import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCliJson } from '../cli/built-cli.ts';
import { makeTempProject, type ProjectOptions, type TempProject } from '../project/temp-project.ts';

/** A project with a run that can be put back to how it was made, under the same paths and ids. */
export interface Subject {
  readonly name: string;
  readonly project: TempProject;
  readonly runId: string;
  readonly runDirectory: string;
  /** Outside the project: where traces go; emptied by `restore`. */
  readonly scratch: string;
  /** The command that dispatches what is under test. */
  readonly dispatch: readonly string[];
  restore(): Promise<void>;
  remove(): Promise<void>;
}

export interface SubjectOptions extends ProjectOptions {
  /** Whom it dispatches, in one batch; default the implementer. */
  readonly workers?: readonly string[];
  /** What the run has behind it where it is put back to. */
  readonly prepare?: (made: Pick<Subject, 'project' | 'runId'>) => Promise<void>;
}

/** What the runs under test dispatch, where they don't say otherwise. */
export const DISPATCH = dispatchOf(['implementer']);

function dispatchOf(workers: readonly string[]): readonly string[] {
  return ['team', 'dispatch', '--workers', workers.join(','), '--json', '--quiet'];
}

/** Makes a tiny project and a run in it. The caller removes it. */
export async function makeSubject(name: string, options: SubjectOptions = {}): Promise<Subject> {
  const { prepare, workers = ['implementer'], ...projectOptions } = options;
  const project = await makeTempProject({ content: 'tiny', ...projectOptions });
  const { document: run } = await runCliJson<{ runId: string; runDirectory: string }>(project, [
    ...['run', 'create', '../TASK.md'],
  ]);
  await prepare?.({ project, runId: run.runId });
  const base = dirname(project.root);
  const kept = `${base}.kept`;
  const scratch = `${base}.scratch`;
  await cp(base, kept, COPY);
  const restore = async (): Promise<void> => {
    for (const name of await readdir(base)) await rm(join(base, name), { recursive: true, force: true });
    await cp(kept, base, COPY);
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch);
  };
  const remove = async (): Promise<void> => {
    await project.remove();
    for (const folder of [kept, scratch]) await rm(folder, { recursive: true, force: true });
  };
  const { runId, runDirectory } = run;
  return { name, project, runId, runDirectory, scratch, dispatch: dispatchOf(workers), restore, remove };
}

const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;
