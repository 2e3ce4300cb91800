// A model server for the benchmark: as many pieces as a request asks for, each with the time at which it left.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // the benchmark's own client: see client.ts
  const { pieces, everyMs } = (await json(request)) as { pieces: number; everyMs: number };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < pieces; at += 1) {
    if (at > 0) await pause(everyMs);
    // monotonic, and the same clock in all processes of a machine
    const sentAtNs = String(process.hrtime.bigint());
    response.write(`data: ${JSON.stringify({ model: 'bench', sentAtNs, text: 'x'.repeat(200) })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
