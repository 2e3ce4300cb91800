import { AUDIT_LIMITS } from './audit-limits.ts';
import { BOUNDARY } from './boundary.ts';
import { CMUX_REQUEST } from './cmux.ts';
import { STATUS, VERSION } from './command-line.ts';
import { WRITE } from './documents.ts';
import { GATEWAY_CHUNKS, GATEWAY_FIRST_BYTE } from './gateway/gateway.ts';
import { type Benchmark, type BenchmarkRow, measure } from './measure.ts';
import { PEERS } from './peers/peers.ts';
import { SCALE } from './scale.ts';
import { SETTLED } from './settled.ts';
import { SUPERVISION_MEMORY } from './supervision-memory.ts';
import { SUPERVISION_OVERHEAD } from './supervision-overhead.ts';
import { COMPARE, SNAPSHOT } from './tree.ts';
import { WORKERS_32, WORKERS_1000 } from './workers.ts';

const ALL: readonly Benchmark[] = [
  VERSION,
  STATUS,
  WRITE,
  CMUX_REQUEST,
  SNAPSHOT,
  COMPARE,
  ...AUDIT_LIMITS,
  SCALE,
  WORKERS_32,
  WORKERS_1000,
  ...SETTLED,
  GATEWAY_FIRST_BYTE,
  GATEWAY_CHUNKS,
  ...SUPERVISION_MEMORY,
  ...SUPERVISION_OVERHEAD,
  ...BOUNDARY,
  ...PEERS,
];

const names = process.argv.slice(2);
const chosen = ALL.filter((benchmark) => names.length === 0 || names.includes(benchmark.name));
const rows: BenchmarkRow[] = [];
for (const benchmark of chosen) {
  const row = await measure(benchmark);
  process.stderr.write(
    `${row.holds ? '✓' : '✗'} ${row.name}: ${comparison(row)} (${row.bar === null ? 'no bar' : `bar ${row.bar}`}); ${row.value} ${row.unit} beside ${row.floor} ${row.unit}${besides(row)}\n`,
  );
  rows.push(row);
}
process.stdout.write(`${JSON.stringify(rows)}\n`);
process.exitCode = rows.length > 0 && rows.every((row) => row.holds) ? 0 : 1;

function comparison({ added, ratio, floorName }: BenchmarkRow): string {
  return added === undefined ? `${ratio} × ${floorName}` : `${added} ms more than ${floorName}`;
}

function besides({ supervisorStartMs, sinceEndDurableMs, perAttempt }: BenchmarkRow): string {
  if (sinceEndDurableMs !== undefined) return `; ${sinceEndDurableMs} ms since the end itself was durable`;
  const start = supervisorStartMs === undefined ? '' : `; a supervisor's start alone ${supervisorStartMs} ms`;
  if (perAttempt === undefined) return start;
  const { processStarts, replaces, flushes } = perAttempt;
  return `${start}; per attempt ${processStarts} process starts, ${replaces} replaces, ${flushes} flushes`;
}
