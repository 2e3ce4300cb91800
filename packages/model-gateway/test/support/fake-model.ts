import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface FakeModel {
  readonly url: string;
  close(): void;
}

/** The program that a user would run; it is started, not imported: a leaf knows no other package. */
const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'agent-fakes', 'src', 'fake-model.ts');

/** Starts the fake model server on a scenario of these turns. */
export async function startFakeModel(turns: readonly object[]): Promise<FakeModel> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-model-'));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ schemaVersion: '1.0', turns }));
  const child = spawn(process.execPath, [PROGRAM, '--scenario', scenario, '--while-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url } = JSON.parse(String(line));
  return {
    url,
    close: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
