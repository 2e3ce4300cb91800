import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { awaitRun, dispatchBatch } from '@bailiwick/dispatch';
import { findSupervisors } from '@bailiwick/test-harness';
import { execa } from 'execa';
import { type Benchmark, type BenchmarkRow, median, ratioRow } from './measure.ts';
import { prepareBatch } from './workers.ts';

const WORKERS = 100;
/** Long enough for all to be alive together at some time, also where the machine is busy; memory is the same in each round. */
const LONG = ['/bin/sh', '-c', 'exec sleep 20'];
const SHORT = ['/bin/sh', '-c', 'exec true'];
const KB_PER_MB = 1024;
const PATIENCE_MS = 120_000;

const RECORDER = fileURLToPath(new URL('./record-usage.mjs', import.meta.url));
const PLAIN = fileURLToPath(new URL('./plain-execa.mjs', import.meta.url));

const PLAINLY = 'one process that starts as many with execa and waits for them';

/** What one more worker costs the process that supervises it, beside what it costs one that only starts it. */
const CPU: Benchmark = {
  name: 'supervision-cpu',
  work: `processor time of one supervisor for each of ${WORKERS} short workers, its own start left out`,
  floorName: PLAINLY,
  bar: null,
  run: () => overheadRow(CPU, { command: SHORT, rounds: 3, unit: 'ms', of: ({ cpuMs }) => cpuMs }),
};

const MEMORY: Benchmark = {
  name: 'supervision-memory',
  work: `memory of one supervisor for each of ${WORKERS} workers that run at the same time, its own left out`,
  floorName: PLAINLY,
  bar: null,
  run: () => overheadRow(MEMORY, { command: LONG, rounds: 1, unit: 'MB', of: ({ pssMb }) => pssMb }),
};

export const SUPERVISION_OVERHEAD: readonly Benchmark[] = [CPU, MEMORY];

interface Usage {
  /** User and system time of the process from its start to its end. */
  readonly cpuMs: number;
  /** Its proportional share of memory while all workers are alive; not looked at where they are over at once. */
  readonly pssMb: number;
}

interface Question {
  readonly command: readonly string[];
  readonly rounds: number;
  readonly unit: 'ms' | 'MB';
  readonly of: (usage: Usage) => number;
}

async function overheadRow(benchmark: Benchmark, question: Question): Promise<BenchmarkRow> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < question.rounds; round += 1) {
    ours.push(await perWorker(question, supervised));
    floor.push(await perWorker(question, plainly));
  }
  return ratioRow(benchmark, { value: median(ours), floor: median(floor), unit: question.unit });
}

/** What is there with one worker is the process itself. */
async function perWorker(
  { command, of }: Question,
  usageOf: (command: readonly string[], count: number) => Promise<Usage>,
): Promise<number> {
  const one = of(await usageOf(command, 1));
  return (of(await usageOf(command, WORKERS)) - one) / (WORKERS - 1);
}

async function supervised(command: readonly string[], count: number): Promise<Usage> {
  return withUsageFile(async (usagePath) => {
    const batch = await prepareBatch(count, command, nodeArguments(usagePath));
    try {
      await dispatchBatch(batch.run.context, batch.plan);
      const [supervisor] = command === LONG ? await findSupervisors(batch.run.root) : [];
      const pssMb = await pssOf(supervisor?.pid);
      await awaitRun(batch.run.context);
      return pssMb;
    } finally {
      await batch.run.remove();
    }
  });
}

async function plainly(command: readonly string[], count: number): Promise<Usage> {
  return withUsageFile(async (usagePath) => {
    const parent = execa(process.execPath, [...nodeArguments(usagePath), PLAIN, String(count), ...command]);
    let pssMb = Number.NaN;
    if (command === LONG) {
      await until(() => childrenOf(parent.pid) >= count);
      pssMb = await pssOf(parent.pid);
    }
    await parent;
    return pssMb;
  });
}

/** As the product starts its supervisors, with something besides that writes down what the process has used. */
function nodeArguments(usagePath: string): readonly string[] {
  return [
    '--v8-pool-size=0',
    '--max-semi-space-size=2',
    `--import=data:text/javascript,${encodeURIComponent(recorder(usagePath))}`,
  ];
}

function recorder(usagePath: string): string {
  return `import { record } from ${JSON.stringify(`file://${RECORDER}`)}; record(${JSON.stringify(usagePath)});`;
}

async function withUsageFile(use: (usagePath: string) => Promise<number>): Promise<Usage> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-'));
  try {
    const usagePath = join(folder, 'usage');
    const pssMb = await use(usagePath);
    // the last attempt is told before the supervisor has ended
    await until(() => textOf(usagePath) !== '');
    return { pssMb, cpuMs: Number(textOf(usagePath)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pssOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return Number.NaN;
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) / KB_PER_MB;
}

function childrenOf(pid: number | undefined): number {
  return textOf(`/proc/${pid ?? 0}/task/${pid ?? 0}/children`)
    .split(' ')
    .filter((word) => word !== '').length;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not there yet, or no more
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadlineMs)
      throw new Error('the workers did not all start, or their supervisor did not end');
    await pause(50);
  }
}
