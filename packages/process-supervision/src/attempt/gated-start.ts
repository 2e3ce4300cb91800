import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { AgentExit } from '@bailiwick/agent-providers';
import type { ProcessIdentity, SupervisedJob } from '@bailiwick/dispatch-state';
import { type JobCommand, STATUS_FD } from '../boundary/confine.ts';
import { namespaceNoteOf } from '../boundary/namespace-note.ts';
import { NamespaceWatch } from '../boundary/namespace-watch.ts';
import { FENCE_VARIABLE, SLOT_VARIABLE } from '../fence.ts';
import { readProcessIdentity } from '../process/identity.ts';

/** A worker that waits before its first instruction. */
export interface GatedWorker {
  readonly process: ProcessIdentity;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the leader has ended, whoever still holds its output. */
  readonly exited: Promise<AgentExit>;
  /** The boundary's own process namespace; undefined where there is no boundary. */
  readonly namespace: NamespaceWatch | undefined;
  /** Lets it run. */
  open(): void;
  /** Ends it before it has run anything. */
  abandon(): void;
}

/**
 * Starts a worker as the leader of its own session, held at a gate: a shell that waits for one byte on descriptor 3 and
 * then becomes the agent, so that pid and start time stay. End of file instead of the byte, as when this process dies,
 * ends it with code 125. A boundary is started by the gate, never around it: what it lets through is bubblewrap, which
 * becomes the agent's keeper. Throws where it can't be started; nothing has run then.
 *
 * `node:child_process` rather than execa: execa reads every pipe above descriptor 2 as output, and its result waits for
 * the pipes to close, which an orphan that holds them can put off for ever.
 */
export async function startGated(job: SupervisedJob, slot: number, command: JobCommand): Promise<GatedWorker> {
  let prompt: FileHandle | undefined;
  let note: FileHandle | undefined;
  try {
    if (job.stdin.kind === 'prompt-file') prompt = await open(job.promptPath, 'r');
    if (command.isConfined) note = await open(namespaceNoteOf(job.sidecarPath), 'w', 0o600);
    const child = spawn('/bin/sh', ['-c', gateScript(command.env), 'bailiwick-gate', ...command.argv], {
      cwd: job.cwd,
      env: { ...command.env, [FENCE_VARIABLE]: job.dispatchId, [SLOT_VARIABLE]: String(slot) },
      detached: true,
      stdio: [
        stdinOf(job, prompt),
        'pipe',
        'pipe',
        'pipe',
        ...(note === undefined ? [] : (['pipe', note.fd] as const)),
      ],
    });
    const exited = exitOf(child);
    await once(child, 'spawn');
    if (job.stdin.kind === 'text') feed(child, job.stdin.text);
    return gatedWorker(child, exited);
  } finally {
    await prompt?.close();
    await note?.close();
  }
}

/** What a shell sets of its own accord, and the agent is not to see unless the order says so. */
const SHELL_VARIABLES = ['PWD', 'OLDPWD', 'SHLVL'];

function gateScript(env: Readonly<Record<string, string>>): string {
  const own = SHELL_VARIABLES.filter((name) => !(name in env));
  const unset = own.length === 0 ? '' : `unset ${own.join(' ')}; `;
  return `IFS= read -r _ <&3 || exit 125; exec 3<&-; ${unset}exec "$@"`;
}

function stdinOf(job: SupervisedJob, prompt: FileHandle | undefined): number | 'pipe' | 'ignore' {
  if (prompt !== undefined) return prompt.fd;
  return job.stdin.kind === 'text' ? 'pipe' : 'ignore';
}

/** An agent that doesn't read its prompt to the end closes the pipe; that is its own affair. */
function feed(child: ChildProcess, text: string): void {
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(text);
}

function exitOf(child: ChildProcess): Promise<AgentExit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function gatedWorker(child: ChildProcess, exited: Promise<AgentExit>): GatedWorker {
  // Descriptor 3 is a socket of which only the writing half is used.
  const gate = child.stdio[3] as Writable | null | undefined;
  const { pid, stdout, stderr } = child;
  gate?.on('error', () => undefined);
  // Of this one only the reading half; absent where the worker isn't confined.
  const status = child.stdio[STATUS_FD] as Readable | null | undefined;
  const process = pid === undefined ? undefined : readProcessIdentity(pid);
  const abandon = (): void => {
    for (const stream of [gate, status, stdout, stderr]) stream?.destroy();
  };
  if (process === undefined || stdout === null || stderr === null) {
    abandon();
    throw new Error(`process ${pid ?? '?'} ended at its gate`);
  }
  return {
    process,
    stdout,
    stderr,
    exited,
    namespace: status ? new NamespaceWatch(status) : undefined,
    open: () => gate?.end('\n'),
    abandon,
  };
}
