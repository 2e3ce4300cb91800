import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeInFolder } from './fake-in-folder.ts';
import { type FakeProgram, startFakeProgram } from './fake-program.ts';
import { RawClient } from './raw-client.ts';

interface Step {
  readonly send?: unknown;
  readonly line?: string;
  readonly answer?: unknown;
  readonly text?: string;
  readonly keep?: Readonly<Record<string, string>>;
}

interface ThirdParty {
  readonly client: string;
  readonly version: string;
  /** It opens a connection for each request. */
  readonly connectsAnew?: boolean;
  readonly steps: readonly Step[];
}

const { clients }: { clients: readonly ThirdParty[] } = JSON.parse(
  readFileSync(new URL('../fixtures/cmux/third-party.json', import.meta.url), 'utf8'),
);

/** Ids in place of the capitals that stand for them. */
function filled<T>(value: T, ids: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value).replace(/(?<![\w-])[A-Z](?![\w-])/g, (name) => ids[name] ?? name);
  return JSON.parse(text);
}

type Started = Pick<FakeProgram, 'socketPath' | 'environment' | 'end'>;

/** As a program for the newest version; of the others it is the same in this process, and a process takes longer than what is said. */
async function startVersion(version: string): Promise<Started> {
  if (version === 'new') return startFakeProgram();
  const { fake, socketPath, remove } = await fakeInFolder({ version });
  return { socketPath, environment: fake.environment(), end: () => remove().then(() => 0) };
}

describe.each(
  clients.flatMap((one) => ['new', '0.64.7'].map((version) => [one.client, one.version, version, one] as const)),
)('%s %s talks without error to version %s', (_client, _version, version, { steps, connectsAnew }) => {
  const ids: Record<string, string> = {};
  const open: RawClient[] = [];
  let program: Started;
  beforeAll(async () => {
    program = await startVersion(version);
    Object.assign(ids, await idsAt(program));
  });
  afterAll(async () => {
    for (const client of open) client.close();
    await program.end();
  });
  const client = (): RawClient => {
    if (open.length === 0 || connectsAnew === true) open.push(new RawClient(program.socketPath));
    return open.at(-1) as RawClient; // one was pushed, if not before
  };

  it.each(steps.map((step, index) => [index + 1, nameOf(step), step] as const))(
    '%i %s',
    async (_index, _name, step) => {
      const { send, line, answer, text } = filled(step, ids);
      const reply = (await client().say(line ?? JSON.stringify(send))) ?? '';
      if (text?.endsWith('…') === true) expect(reply.slice(0, text.length - 1)).toBe(text.slice(0, -1));
      else if (text !== undefined) expect(reply).toBe(text);
      else expect(JSON.parse(reply)).toMatchObject(expectedOf(send, answer));
      for (const [name, key] of Object.entries(step.keep ?? {})) ids[name] = JSON.parse(reply).result[key];
    },
  );
});

function nameOf({ send, line }: Step): string {
  return line ?? (send as { method: string }).method;
}

/** Whatever a client gives as an id comes back as it was. */
function expectedOf(send: unknown, answer: unknown): object {
  return { id: (send as { id: unknown }).id, ...(answer as object) };
}

async function idsAt({ socketPath, environment }: Started): Promise<Record<string, string>> {
  const { CMUX_WORKSPACE_ID: W = '', CMUX_SURFACE_ID: S = '' } = environment;
  const client = new RawClient(socketPath);
  const { result } = await client.call('system.identify', { caller: { workspace_id: W, surface_id: S } });
  client.close();
  return { W, S, P: result.caller.pane_id, N: result.caller.window_id };
}
