import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { awaitRun, type DispatchContext, dispatchBatch } from '@bailiwick/dispatch';
import { compareWithSnapshot } from '@bailiwick/mutation-audit';
import { connectSupervisor, socketPathFor } from '@bailiwick/process-supervision';
import { planRoster } from '@bailiwick/run-workflow';
import writeFileAtomic from 'write-file-atomic';
import { type Benchmark, type BenchmarkRow, quantile, rounded, valueRow } from './measure.ts';
import { type PreparedRun, prepareRun } from './prepared-run.ts';

/** So many ends are looked at that the 95th percentile isn't the worst of a few. */
const SAMPLES = Number(process.env['BAILIWICK_BENCH_SAMPLES'] ?? 100);
/** These don't count: the first ones load what the others find loaded. */
const WARM_UP = 5;
const PERCENTILE = 0.95;
const BAR_MS = 25;
const WORKER = fileURLToPath(new URL('./settled-worker.sh', import.meta.url));

/** From a worker's end to the sidecar that says so for good. */
const LIFECYCLE: Benchmark = {
  name: 'settled-lifecycle',
  work: `95th percentile of ${SAMPLES} from a worker's exit until its end is durable`,
  floorName: 'the exit seen by its parent, and one atomic write',
  bar: BAR_MS,
  run: () => settledRow(LIFECYCLE, 'lifecycleMs'),
};

/** From the same end to the audited, sealed record; how long a comparison takes is measured beside it and taken away. */
const CONTRACT: Benchmark = {
  name: 'settled-contract',
  work: `95th percentile of ${SAMPLES} from a worker's exit until its record is audited, sealed and durable, less the comparison`,
  floorName: LIFECYCLE.floorName,
  bar: BAR_MS,
  run: async () => ({ ...(await settledRow(CONTRACT, 'contractMs')), sinceEndDurableMs: await sinceEndDurableMs() }),
};

export const SETTLED: readonly Benchmark[] = [LIFECYCLE, CONTRACT];

/** How long after a worker's own last act something was known. */
interface Sample {
  readonly lifecycleMs: number;
  readonly contractMs: number;
}

let measured: ReturnType<typeof measureEnds> | undefined;

/** Both rows are of the same ends. */
function endsOnce(): ReturnType<typeof measureEnds> {
  measured ??= measureEnds();
  return measured;
}

async function settledRow(benchmark: Benchmark, what: keyof Sample): Promise<BenchmarkRow> {
  const { samples, floorMs } = await endsOnce();
  const taken = samples.map((sample) => sample[what]);
  process.stderr.write(`  ${benchmark.name}: median ${quantile(taken, 0.5).toFixed(1)} ms\n`);
  return valueRow(benchmark, {
    value: quantile(taken, PERCENTILE),
    floor: quantile(floorMs, PERCENTILE),
    unit: 'ms',
  });
}

/** What of it is settlement's: a contract is decided when the supervisor has said that the worker's end is durable. */
async function sinceEndDurableMs(): Promise<number> {
  const { samples } = await endsOnce();
  const taken = samples.map(({ contractMs, lifecycleMs }) => contractMs - lifecycleMs);
  return rounded(quantile(taken, PERCENTILE));
}

async function measureEnds() {
  const settledAtMs = new Map<string, number>();
  const run = await prepareRun({
    count: WARM_UP + SAMPLES,
    model: 'custom/worker',
    models: [{ modelRef: 'custom/worker', executionValue: 'worker' }],
    command: (folder) => ['/bin/bash', WORKER, '{promptPath}', folder],
    onProgress: ({ kind, record }) => kind === 'settled' && settledAtMs.set(record.dispatchId, now()),
  });
  try {
    const samples: Sample[] = [];
    const floorMs: number[] = [];
    for (const worker of run.workers) {
      samples.push(await oneEnd(run, worker, settledAtMs));
      floorMs.push(await plainEnd(run.besideTree));
    }
    return { samples: samples.slice(WARM_UP), floorMs: floorMs.slice(WARM_UP) };
  } finally {
    await run.remove();
  }
}

/** One worker of a batch of its own, which this process launches and waits for. */
async function oneEnd({ context, besideTree }: PreparedRun, worker: string, settledAtMs: Map<string, number>) {
  const { batchId, records } = await dispatchBatch(
    context,
    await planRoster(context, { workers: [worker], backend: 'cli-wrapper' }),
  );
  const [record] = records;
  if (record === undefined) throw new Error(`${worker} was not dispatched`);
  const lifecycleAt = terminalAt(context, batchId);
  await awaitRun(context);
  const endedAtMs = await notedMs(join(besideTree, record.dispatchId));
  const compareMs = await timeOfComparison(record.mutationAuditSnapshotPath);
  const settled = settledAtMs.get(record.dispatchId) ?? Number.NaN;
  return { lifecycleMs: (await lifecycleAt) - endedAtMs, contractMs: settled - endedAtMs - compareMs };
}

/** When the supervisor says that the terminal sidecar is durable: it says so only then. */
async function terminalAt({ runtimeFolder, layout }: DispatchContext, batchId: string): Promise<number> {
  const path =
    runtimeFolder === null ? null : socketPathFor({ runtimeFolder, runDirectory: layout.runDirectory, batchId });
  const connection = await connectSupervisor(path ?? '');
  return new Promise((resolve) => {
    connection.onHint(({ stage }) => {
      if (stage !== 'exited') return;
      resolve(now());
      connection.close();
    });
  });
}

async function timeOfComparison(snapshotPath: string | null): Promise<number> {
  if (snapshotPath === null) throw new Error('there was no snapshot to compare with');
  const startedMs = performance.now();
  await compareWithSnapshot({ snapshotPath });
  return performance.now() - startedMs;
}

/** The least that makes an end durable. */
async function plainEnd(folder: string): Promise<number> {
  const notedPath = join(folder, 'plain');
  const child = spawn('/bin/bash', ['-c', `printf %s "$EPOCHREALTIME" > ${notedPath}`]);
  await once(child, 'exit');
  await writeFileAtomic(join(folder, 'plain.json'), '{"status":"exited"}\n');
  return now() - (await notedMs(notedPath));
}

async function notedMs(path: string): Promise<number> {
  return Number(await readFile(path, 'utf8')) * 1_000;
}

/** As the shell's clock has it, to less than a millisecond. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
