import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { onTestFinished } from 'vitest';
import { findFencedProcesses, makeTempProject, type ProjectOptions, type TempProject } from '../src/index.ts';

/** The part of a run's JSON that tests look at. */
export interface RunDocument {
  readonly runId: string;
  readonly state: string;
  readonly phase: string | null;
  readonly worktree: string | null;
  readonly reportPath: string | null;
  readonly changedPaths: readonly string[];
  readonly runDirectory: string;
  readonly attempts: readonly {
    readonly workerId: string;
    readonly attempt: number;
    readonly dispatchId: string;
    readonly status: string;
    readonly reason: string;
    readonly audit: string;
    readonly servedModel: string;
  }[];
}

/** An implementer and a report writer: as many workers as a run needs to go through its phases. */
export const SMALL_TEAM = {
  implementer: { model: 'claude/sonnet' },
  verifiers: [],
  reportWriter: { model: 'gemini/gemini-2.5-pro' },
} as const;

/** A project that is taken away when the test ends, with whatever still runs in it. */
export async function project(options: ProjectOptions = {}): Promise<TempProject> {
  const made = await makeTempProject({ content: 'tiny', ...options });
  onTestFinished(() => made.remove());
  return made;
}

/** The agents of a config whose implementer begins its work when `release` is called, and not before. */
export function heldAgents() {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-held-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const released = join(folder, 'released');
  const hold = 'until [ -e "$0" ]; do sleep 0.1; done; exec "$@"';
  return {
    agents: {
      claude: { command: ['/bin/sh', '-c', hold, released, ...fakeAgentCommand({ speak: 'claude' })] },
      gemini: { command: fakeAgentCommand({ speak: 'gemini' }) },
    },
    release: () => writeFileSync(released, ''),
  };
}

/** Dispatch ids of the agents that ever started, in order; a double dispatch shows as an id that stands twice. */
export async function startedAgents({ ledgerPath }: TempProject): Promise<readonly string[]> {
  const text = await readFile(ledgerPath, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[0] ?? '');
}

/** What is alive of a run, by the process table. */
export async function aliveOf(runId: string): Promise<readonly string[]> {
  return (await findFencedProcesses(runId)).map((row) => `${row.pid} ${row.command}`);
}
