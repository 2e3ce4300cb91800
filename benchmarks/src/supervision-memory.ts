import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  findFencedProcesses,
  findSupervisors,
  makeTempProject,
  runCli,
  runCliJson,
  startCli,
} from '@bailiwick/test-harness';
import { type Benchmark, type BenchmarkRow, valueRow } from './measure.ts';

const WORKERS = 1_000;
const KB_PER_MB = 1024;
const PATIENCE_MS = 300_000;
/** A batch is held for hours, launched in seconds. */
const AT_REST_MS = 30_000;

/** A batch of workers that all run at the same time: what holds them, and what waits for them. */
const SUPERVISOR: Benchmark = {
  name: 'supervisor-memory',
  work: `peak memory of the supervisor of ${WORKERS} workers that run at the same time`,
  floorName: 'a supervisor of one worker',
  bar: 250,
  run: () => memoryRow(SUPERVISOR, 'supervisorMb'),
};

const COMMAND: Benchmark = {
  name: 'command-memory',
  work: `peak memory of the command that launched ${WORKERS} workers and waits for them`,
  floorName: 'the same with one worker',
  bar: 120,
  run: () => memoryRow(COMMAND, 'commandMb'),
};

const COMMAND_AT_REST: Benchmark = {
  name: 'command-at-rest',
  work: `memory of the command that waits for ${WORKERS} workers, half a minute after the last has started`,
  floorName: 'the same with one worker',
  bar: 120,
  run: () => memoryRow(COMMAND_AT_REST, 'commandAtRestMb'),
};

export const SUPERVISION_MEMORY: readonly Benchmark[] = [SUPERVISOR, COMMAND, COMMAND_AT_REST];

interface Memory {
  readonly supervisorMb: number;
  readonly commandMb: number;
  readonly commandAtRestMb: number;
}

const measured = new Map<number, Promise<Memory>>();

/** All rows are of the same two batches. */
function memoryWith(workers: number): Promise<Memory> {
  const known = measured.get(workers) ?? batchOf(workers);
  measured.set(workers, known);
  return known;
}

async function memoryRow(benchmark: Benchmark, what: keyof Memory): Promise<BenchmarkRow> {
  const floor = (await memoryWith(1))[what];
  return valueRow(benchmark, { value: (await memoryWith(WORKERS))[what], floor, unit: 'MB' });
}

async function batchOf(count: number): Promise<Memory> {
  const seat = { model: 'codex/gpt-5.5' };
  const team = { implementer: seat, verifiers: Array.from({ length: count }, () => seat) };
  // A shell, which takes the flags that an agent gets for names.
  const agents = { codex: { command: ['/bin/sh', '-c', 'exec sleep 3600'] } };
  const project = await makeTempProject({ content: 'tiny', config: { team, agents, maxConcurrent: count } });
  try {
    const { document } = await runCliJson<{ runId: string }>(project, ['run', 'create', '../TASK.md']);
    const workers = Array.from({ length: count }, (_, at) => `verifier-${at + 1}`).join(',');
    const command = startCli(project, ['team', 'dispatch', '--workers', workers]);
    await until(async () => (await findFencedProcesses(document.runId)).length >= count);
    const [supervisor] = await findSupervisors(project.root);
    await pause(AT_REST_MS);
    const [supervising, waiting] = [await memoryOf(supervisor?.pid), await memoryOf(command.pid)];
    await runCli(project, ['team', 'stop']);
    await command;
    return { supervisorMb: supervising.peakMb, commandMb: waiting.peakMb, commandAtRestMb: waiting.nowMb };
  } finally {
    await project.remove();
  }
}

async function memoryOf(pid: number | undefined): Promise<{ readonly nowMb: number; readonly peakMb: number }> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8');
  const mbOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / KB_PER_MB;
  return { nowMb: mbOf('VmRSS'), peakMb: mbOf('VmHWM') };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('the workers did not all start');
    await pause(500);
  }
}
