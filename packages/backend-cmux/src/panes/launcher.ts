import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder, writeTextFile } from '@bailiwick/durable-files';
import { MAX_SOCKET_PATH_BYTES } from '@bailiwick/process-supervision';

/** The program that runs in a pane, and what it may see of the environment. */
export interface PaneProgram {
  readonly nodePath: string;
  readonly nodeArguments: readonly string[];
  /** The `./pane` entry of this package, or a bundle of it. */
  readonly panePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** All that a supervisor in a pane gets of an environment. Secrets come to it over its socket alone. */
export const PANE_ENVIRONMENT = ['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'LANG'] as const;

/** A folder of one pane's own: launcher and socket lie in it, and the app is asked to start the pane there. */
export interface PaneFolder {
  readonly path: string;
  readonly socketPath: string;
  readonly launcherPath: string;
  remove(): Promise<void>;
}

/** Makes the folder, with the launcher in it; nobody else may look into it. */
export async function makePaneFolder(runtimeFolder: string, program: PaneProgram): Promise<PaneFolder> {
  const base = join(runtimeFolder, 'bailiwick');
  await ensureFolder(base);
  const path = await mkdtemp(join(base, 'p-'));
  const socketPath = join(path, 's');
  const launcherPath = join(path, 'run');
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`the runtime folder ${runtimeFolder} has too long a path for a socket in it`);
  await writeTextFile(launcherPath, launcherScript(program, socketPath), { mode: 0o700 });
  return { path, socketPath, launcherPath, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * What is typed into a pane: short, since long lines arrive in pieces, and led by a space, which keeps it out of most histories.
 * The pane's shell runs the launcher and comes back after it: a shell that ends would take its pane along.
 */
export function typedLine({ launcherPath }: PaneFolder): string {
  return ` sh ${quoted(launcherPath)}`;
}

/** Environment, working folder and argv, exactly; nothing of the shell's own, and nothing secret. */
function launcherScript(program: PaneProgram, socketPath: string): string {
  const environment = PANE_ENVIRONMENT.flatMap((name) => {
    const value = program.environment[name];
    return value === undefined ? [] : [quoted(`${name}=${value}`)];
  });
  const argv = [program.nodePath, ...program.nodeArguments, program.panePath, socketPath].map(quoted);
  return ['#!/bin/sh', 'cd /', `exec env -i ${environment.join(' ')} TERM="$TERM" ${argv.join(' ')}`, ''].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
