import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from '@bailiwick/tooling/program-path';

export interface FakeModel {
  readonly url: string;
  close(): void;
}

/** Starts the fake model server on a scenario of these turns: as a program, not imported, since a leaf knows no other package. */
export async function startFakeModel(turns: readonly object[]): Promise<FakeModel> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-model-'));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ schemaVersion: '1.0', turns }));
  const child = spawn(process.execPath, [programPath('fake-model'), '--scenario', scenario, '--while-stdin'], {
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
