import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from '@bailiwick/tooling/program-path';

/** The fake as a program of its own, as somebody else's client finds it. */
export interface FakeProgram {
  readonly folder: string;
  readonly socketPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Ends it; gives its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts it in a folder that goes with it; `at` makes the flags that say where it listens. */
export async function startFakeProgram(
  flags: readonly string[] = [],
  at: (folder: string) => readonly string[] = (folder) => ['--socket', join(folder, 's')],
): Promise<FakeProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'fxp-'));
  const child = spawn(process.execPath, [programPath('fake-cmux'), ...at(folder), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  const { socketPath, environment } = JSON.parse(first ?? 'null') ?? {};
  return { folder, socketPath, environment, end: () => endProgram(child, folder) };
}

async function endProgram(child: ChildProcess, folder: string): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
  return code;
}
