import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** How long the pieces of one stream took on their way, in ms, and how long the first took from the request on. */
export interface StreamTimes {
  readonly firstByteMs: number;
  readonly piecesMs: readonly number[];
}

/** Asks a server, or the gateway before it, for a stream of so many pieces. */
export async function readStream(
  url: string,
  o: { readonly pieces: number; readonly everyMs: number },
): Promise<StreamTimes> {
  const startedMs = performance.now();
  const answer = await ask(`${url}/v1/chat/completions`, JSON.stringify({ model: 'bench', ...o }));
  const piecesMs: number[] = [];
  let firstByteMs = Number.NaN;
  for await (const chunk of answer) {
    if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - startedMs;
    const now = process.hrtime.bigint();
    for (const [, sentAtNs = ''] of String(chunk).matchAll(/"sentAtNs":"(\d+)"/g)) {
      piecesMs.push(Number(now - BigInt(sentAtNs)) / 1e6);
    }
  }
  if (piecesMs.length !== o.pieces) throw new Error(`${piecesMs.length} pieces came, not ${o.pieces}`);
  return { firstByteMs, piecesMs };
}

function ask(url: string, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  request(url, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
  return promise;
}
