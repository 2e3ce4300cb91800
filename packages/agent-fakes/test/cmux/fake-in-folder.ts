import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeCmux, type FakeCmuxOptions, startFakeCmux } from '../../src/index.ts';
import { RawClient } from './raw-client.ts';

/** A fake for one test, and clients of it; `remove` ends all of them. */
export interface TestFake {
  readonly fake: FakeCmux;
  readonly socketPath: string;
  readonly workspace: string;
  readonly surface: string;
  readonly client: () => RawClient;
  readonly remove: () => Promise<void>;
}

export async function fakeInFolder(options: Partial<FakeCmuxOptions> = {}): Promise<TestFake> {
  const folder = mkdtempSync(join(tmpdir(), 'fx-'));
  const socketPath = join(folder, 's');
  const fake = await startFakeCmux({ socketPath, ...options });
  const clients: RawClient[] = [];
  const { CMUX_WORKSPACE_ID: workspace = '', CMUX_SURFACE_ID: surface = '' } = fake.environment();
  return {
    fake,
    socketPath,
    workspace,
    surface,
    client: () => {
      const client = new RawClient(socketPath);
      clients.push(client);
      return client;
    },
    remove: async () => {
      for (const client of clients) client.close();
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for something to be so. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`never seen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
