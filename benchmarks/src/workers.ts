import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaitRun, type DispatchPlan, dispatchBatch } from '@bailiwick/dispatch';
import { planRoster } from '@bailiwick/run-workflow';
import { execa } from 'execa';
import writeFileAtomic from 'write-file-atomic';
import { type Benchmark, median, rounded } from './measure.ts';
import { type PreparedRun, prepareRun, SUPERVISOR_PATH } from './prepared-run.ts';
import { countedCalls } from './workers-calls.ts';

/** A program that does nothing: what is left is what dispatching costs. */
const NO_OP = '/bin/true';

/** A batch of no-op workers from the plan to their settled records, beside the least that would keep a record of each. */
function workersBenchmark(count: number, o: { readonly bar: number; readonly rounds: number }): Benchmark {
  return {
    name: `workers-${count}`,
    work: `${count} no-op workers of one batch, claimed, launched, audited, settled and sealed`,
    floorName: 'execa and two atomic writes for each, all at once',
    ...o,
    run: async (use) => {
      const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-'));
      const ours = await workersSide(count, o.rounds);
      try {
        const row = await use({ ours: ours.round, floor: () => plainly(count, folder) });
        return { ...row, supervisorStartMs: await supervisorStart(), ...(await countedCalls(count)) };
      } finally {
        await ours.end();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A batch of so many no-op workers for each round: made before anything is measured, taken away afterwards. */
export async function workersSide(count: number, rounds: number) {
  const batches: PreparedBatch[] = [];
  for (let round = -1; round < rounds; round += 1) batches.push(await prepareBatch(count));
  const waiting = [...batches];
  return {
    round: () => dispatchAll(waiting.pop()),
    end: () => Promise.all(batches.map(({ run }) => run.remove())),
  };
}

export const WORKERS_32 = workersBenchmark(32, { bar: 1.6, rounds: 5 });
export const WORKERS_1000 = workersBenchmark(1_000, { bar: 1.6, rounds: 2 });

interface PreparedBatch {
  readonly run: PreparedRun;
  readonly plan: DispatchPlan;
}

/** A run in a project of its own, with a seat for each worker and everybody's prompt written. */
export async function prepareBatch(
  count: number,
  command: readonly string[] = [NO_OP],
  nodeArguments: readonly string[] = [],
): Promise<PreparedBatch> {
  const run = await prepareRun({ count, model: 'codex/gpt-5.5', command: () => command, nodeArguments });
  return { run, plan: await planRoster(run.context, { workers: run.workers, backend: 'cli-wrapper' }) };
}

/** From the claim to the last settled record. */
export async function dispatchAll(batch: PreparedBatch | undefined): Promise<void> {
  if (batch === undefined) throw new Error('fewer runs were prepared than rounds are measured');
  await dispatchBatch(batch.run.context, batch.plan);
  await awaitRun(batch.run.context);
}

const STARTS = 5;

/** What of it is the start of the batch's one supervisor, whatever the workers are: with all its modules, to the word that it has no order. */
async function supervisorStart(): Promise<number> {
  const taken: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const startedMs = performance.now();
    await execa(process.execPath, [SUPERVISOR_PATH], { input: '' });
    taken.push(performance.now() - startedMs);
  }
  return rounded(median(taken));
}

async function plainly(count: number, folder: string): Promise<void> {
  const round = join(folder, String(performance.now()));
  await mkdir(round);
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const path = join(round, `${at}.json`);
      await writeFileAtomic(path, '{"status":"launching"}\n');
      await execa(NO_OP);
      await writeFileAtomic(path, '{"status":"completed"}\n');
    }),
  );
}
