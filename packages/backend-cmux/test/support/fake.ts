import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeCmux, type FakeCmuxOptions, startFakeCmux } from '@bailiwick/agent-fakes';
import { type CmuxClient, type CmuxSurroundings, createCmuxClient, givenAddress } from '../../src/index.ts';

/** A fake cmux for one test; `remove` ends it with its clients. */
export interface TestFake {
  readonly fake: FakeCmux;
  readonly folder: string;
  readonly socketPath: string;
  /** The ids of the terminal that the test stands in. */
  readonly ids: { readonly workspace_id: string; readonly surface_id: string };
  readonly client: (o?: Partial<Parameters<typeof createCmuxClient>[0]>) => CmuxClient;
  readonly surroundings: (environment?: Readonly<Record<string, string | undefined>>) => CmuxSurroundings;
  readonly remove: () => Promise<void>;
}

export async function startTestFake(options: Partial<FakeCmuxOptions> = {}): Promise<TestFake> {
  const folder = mkdtempSync(join(tmpdir(), 'bc-'));
  const socketPath = join(folder, 's');
  const fake = await startFakeCmux({ socketPath, ...options });
  const clients: CmuxClient[] = [];
  const environment = fake.environment();
  const surroundings: TestFake['surroundings'] = (more = {}) => ({
    environment: { ...fake.environment(), ...more },
    home: folder,
    uid: 1,
    preflightTimeoutMs: 1_000,
  });
  return {
    fake,
    folder,
    socketPath,
    ids: {
      workspace_id: environment['CMUX_WORKSPACE_ID'] ?? '',
      surface_id: environment['CMUX_SURFACE_ID'] ?? '',
    },
    client: (o = {}) => {
      const address = givenAddress(surroundings()) ?? { kind: 'unix', path: socketPath };
      const client = createCmuxClient({ address, requestTimeoutMs: 2_000, ...o });
      clients.push(client);
      return client;
    },
    surroundings,
    remove: async () => {
      for (const client of clients) client.close();
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a promise fails with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
}
