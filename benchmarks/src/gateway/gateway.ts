import { type Benchmark, type BenchmarkRow, median, quantile, rounded } from '../measure.ts';
import { readStream, type StreamTimes } from './client.ts';
import { type TwoWays, withTwoWays } from './servers.ts';

const REQUESTS = 300;
const STREAMS = 32;
const PIECES = 100;
const EVERY_MS = 20;
const ROUNDS = 5;

/** What an agent waits for longer, at the start of every answer, because the gateway stands between. */
export const GATEWAY_FIRST_BYTE: Benchmark = {
  name: 'gateway-first-byte',
  work: `median of ${REQUESTS} requests to the first byte through the gateway, one at a time`,
  floorName: 'the same server directly, in turn',
  bar: 1.5,
  run: () => withTwoWays(async (ways) => addedRow(GATEWAY_FIRST_BYTE, await firstBytes(ways))),
};

/** How late the slowest pieces come when many agents stream at once. */
export const GATEWAY_CHUNKS: Benchmark = {
  name: 'gateway-chunks',
  work: `99th percentile of the way of a piece through the gateway, ${STREAMS} streams of ${PIECES} pieces, one every ${EVERY_MS} ms`,
  floorName: 'the same server directly, in turn',
  bar: 10,
  run: () => withTwoWays(async (ways) => addedRow(GATEWAY_CHUNKS, await slowPieces(ways))),
};

interface Two {
  readonly through: number;
  readonly direct: number;
}

async function firstBytes({ direct, through }: TwoWays): Promise<Two> {
  const taken: { direct: number[]; through: number[] } = { direct: [], through: [] };
  for (let at = -20; at < REQUESTS; at += 1) {
    const one = await readStream(direct, { pieces: 1, everyMs: 0 });
    const other = await readStream(through, { pieces: 1, everyMs: 0 });
    if (at < 0) continue;
    taken.direct.push(one.firstByteMs);
    taken.through.push(other.firstByteMs);
  }
  return { direct: median(taken.direct), through: median(taken.through) };
}

/** The median of the rounds' percentiles: one round that the machine disturbed says nothing about the gateway. */
async function slowPieces({ direct, through }: TwoWays): Promise<Two> {
  const taken: { direct: number[]; through: number[] } = { direct: [], through: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const [one, other] = [slowest(await streams(direct)), slowest(await streams(through))];
    if (round < 0) continue;
    taken.direct.push(one);
    taken.through.push(other);
  }
  return { direct: median(taken.direct), through: median(taken.through) };
}

function streams(url: string): Promise<readonly StreamTimes[]> {
  return Promise.all(Array.from({ length: STREAMS }, () => readStream(url, { pieces: PIECES, everyMs: EVERY_MS })));
}

function slowest(times: readonly StreamTimes[]): number {
  return quantile(
    times.flatMap(({ piecesMs }) => piecesMs),
    0.99,
  );
}

/** The bar is on what is added, in ms: the ratio to a loopback round trip says nothing that anybody waits for. */
function addedRow({ name, work, floorName, bar }: Benchmark, { through, direct }: Two): BenchmarkRow {
  return {
    name,
    work,
    value: rounded(through),
    unit: 'ms',
    floor: rounded(direct),
    floorName,
    ratio: rounded(through / direct),
    added: rounded(through - direct),
    bar,
    holds: bar === null || through - direct <= bar,
  };
}
