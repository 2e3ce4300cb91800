import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe.each(
  clients.flatMap((one) => ['new', '0.64.7'].map((version) => [one.client, one.version, version, one] as const)),
)('%s %s talks without error to the program, version %s', (_client, _version, version, { steps, connectsAnew }) => {
  const ids: Record<string, string> = {};
  const open: RawClient[] = [];
  let program: FakeProgram;
  beforeAll(async () => {
    program = await startFakeProgram(['--version', version]);
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

async function idsAt({ socketPath, environment }: FakeProgram): Promise<Record<string, string>> {
  const { CMUX_WORKSPACE_ID: W = '', CMUX_SURFACE_ID: S = '' } = environment;
  const client = new RawClient(socketPath);
  const { result } = await client.call('system.identify', { caller: { workspace_id: W, surface_id: S } });
  client.close();
  return { W, S, P: result.caller.pane_id, N: result.caller.window_id };
}
