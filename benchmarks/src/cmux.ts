import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeCmux } from '@bailiwick/agent-fakes';
import { createCmuxClient } from '@bailiwick/backend-cmux';
import type { Benchmark } from './measure.ts';

const REQUESTS = 500;
const PING = '{"id":"1","method":"system.ping","params":{}}\n';

/** What a request to cmux costs on a connection that is open; starting the app's own command line for each takes about 150 ms. */
export const CMUX_REQUEST: Benchmark = {
  name: 'cmux-request',
  work: `${REQUESTS} requests over the client's open connection, one after another`,
  floorName: 'the same lines written to a socket and read back by hand',
  bar: 2,
  run: async (use) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    const path = join(folder, 's');
    const fake = await startFakeCmux({ socketPath: path });
    const client = createCmuxClient({ address: { kind: 'unix', path } });
    const socket = connect(path);
    try {
      const row = await use({
        ours: () => times(() => client.call('system.ping')),
        floor: () => times(() => byHand(socket)),
      });
      if (client.connections() !== 1) throw new Error(`it took ${client.connections()} connections`);
      return row;
    } finally {
      socket.destroy();
      client.close();
      await fake.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function times(ask: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < REQUESTS; at += 1) await ask();
}

/** A reply to a ping is one small line, and comes in one piece. */
function byHand(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString('utf8'))));
    socket.write(PING);
  });
}
