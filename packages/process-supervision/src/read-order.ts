import type { Readable } from 'node:stream';
import { type SupervisionOrder, supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { messageOf, SupervisionError } from './errors.ts';

/** Prompts aren't in an order, environments are; a batch of a hundred jobs stays far below. */
const MAX_ORDER_BYTES = 64 * 1024 * 1024;

/**
 * Reads one order up to end of file. Throws SupervisionError ORDER_INVALID; the message never quotes the order, which
 * holds secrets.
 */
export async function readOrder(input: Readable): Promise<SupervisionOrder> {
  try {
    return withPool(
      withoutRepetition(supervisionOrderCodec.decode(JSON.parse(await readAll(input)), 'standard input')),
    );
  } catch (error) {
    const what = error instanceof SyntaxError ? 'it is cut short or not JSON' : messageOf(error);
    throw new SupervisionError('ORDER_INVALID', `the supervision order can't be used: ${what}`, {
      hint: 'it is one JSON document on standard input, written by the version of the supervisor that reads it',
    });
  }
}

/** Two jobs of one attempt would be admitted at the same time, and both start. */
function withoutRepetition(order: SupervisionOrder): SupervisionOrder {
  const ids = order.jobs.map(({ dispatchId }) => dispatchId);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) throw new Error(`it holds ${repeated} twice`);
  return order;
}

/** Gives each job the rows that all have in common; those without rows of their own share one list, and what is made of it. */
function withPool(order: SupervisionOrder): SupervisionOrder {
  const { poolEntries: common = [], jobs } = order;
  const rowsOf = (own: readonly unknown[]): readonly unknown[] => (own.length === 0 ? common : [...common, ...own]);
  return {
    ...order,
    jobs: jobs.map((job) => ({
      ...job,
      servedModel: { ...job.servedModel, poolEntries: rowsOf(job.servedModel.poolEntries) },
    })),
  };
}

async function readAll(input: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.byteLength;
    if (bytes > MAX_ORDER_BYTES) throw new Error(`it is longer than ${MAX_ORDER_BYTES} bytes`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
