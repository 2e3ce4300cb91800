import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { AccessMode } from './access.ts';
import { countOf, type Params, textOf } from './params.ts';
import type { FakeCmux } from './start-fake-cmux.ts';

type Act = (fake: FakeCmux, params: Params) => unknown;

/** What can be done to a running fake from outside, one JSON object `{"do":NAME,…}` a line. */
const ACTS: Readonly<Record<string, Act>> = {
  environment: (fake) => fake.environment(),
  requests: (fake) => fake.requests(),
  conduct: (fake) => fake.conduct(),
  faults: (fake, params) => fake.setFaults(params['faults'] as Parameters<FakeCmux['setFaults']>[0]), // merged by name
  'drop-next': (fake, params) => fake.dropNext(textOf(params, 'method') ?? ''),
  mode: (fake, params) => {
    const mode = Object.values(AccessMode).find((one) => one === params['mode']);
    if (mode === undefined) throw new RangeError(`no mode ${String(params['mode'])}`);
    return fake.setMode(mode);
  },
  relaunch: (fake, params) => fake.relaunch(countOf(params, 'pauseMs') ?? 0),
  rename: (fake, params) => fake.person.rename(surface(params), textOf(params, 'title') ?? ''),
  close: (fake, params) => fake.person.close(surface(params)),
  type: (fake, params) => fake.person.type(surface(params), textOf(params, 'text') ?? ''),
  'open-tab': (fake, params) => fake.person.openTab(surface(params)),
  split: (fake, params) => fake.person.split(surface(params)),
  look: (fake, params) => fake.person.look(surface(params)),
  move: (fake, params) => fake.person.move(surface(params)),
};

function surface(params: Params): string {
  const handle = textOf(params, 'surface');
  if (handle === undefined) throw new RangeError('which surface?');
  return handle;
}

/** Listens for acts; replies `{"ok":true,"result"}` or `{"ok":false,"error"}`, one line each. */
export async function openControl(fake: FakeCmux, path: string): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let work = Promise.resolve();
    createInterface({ input: socket }).on('line', (line) => {
      work = work.then(async () => void socket.write(`${JSON.stringify(await replyTo(fake, line))}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
  return server;
}

async function replyTo(fake: FakeCmux, line: string): Promise<unknown> {
  try {
    const params = JSON.parse(line) as Params; // read by name, whatever it holds
    const act = ACTS[String(params['do'])];
    if (act === undefined) throw new RangeError(`it does: ${Object.keys(ACTS).join(', ')}`);
    return { ok: true, result: (await act(fake, params)) ?? null };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
