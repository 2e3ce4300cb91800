import { spawn } from 'node:child_process';
import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { isBackendError } from '../errors.ts';
import { type Scene, WAIT_FOR_GO } from './scene.ts';
import type { Trial } from './trial.ts';

const noted = { onReady: () => undefined };

/** B1, B2 and B3: what a launch promises. Each returns what was wrong, or undefined. */
export const launchTrials: readonly Trial[] = [
  { name: 'B1 a job whose record says launching is started, once', try: startsOnce },
  { name: 'B1 a job whose record says anything else is not started', try: startsOnlyLaunching },
  { name: 'B1 an attempt that has run is not started again', try: startsNoneTwice },
  { name: 'B1 a batch that has a supervisor gets no second one', try: startsNoSecondSupervisor },
  { name: 'B2 workers go on when their command is killed right after ready', try: outlivesItsCommand },
  { name: 'B3 a worker finds its own identity in its sidecar before it does anything', try: identityComesFirst },
];

async function startsOnce(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('echo run >> "$OUT/runs"');
  let readyCount = 0;
  const report = await scene.backend.launch(scene.order(), { onReady: () => (readyCount += 1) });
  await scene.untilTerminal(job);
  if (readyCount !== 1) return `onReady was called ${readyCount} times`;
  if (report.started[0]?.dispatchId !== job.dispatchId) return 'the report does not say that it started';
  const runs = await scene.written('runs');
  return runs === 'run\n' ? undefined : `it ran like this: ${JSON.stringify(runs)}`;
}

async function startsOnlyLaunching(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('echo run >> "$OUT/runs"');
  const other = await scene.addJob('true');
  await scene.writeRecord(job, { status: 'running' });
  const report = await scene.backend.launch(scene.order(), noted);
  await scene.untilTerminal(other);
  if ((await scene.written('runs')) !== undefined) return 'it ran';
  return report.failed.some(({ dispatchId }) => dispatchId === job.dispatchId)
    ? undefined
    : 'the report does not say so';
}

async function startsNoneTwice(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('echo run >> "$OUT/runs"');
  await scene.backend.launch(scene.order(), noted);
  await scene.untilTerminal(job);
  await untilFree(scene, job);
  const again = await scene.backend.launch(scene.order(), noted);
  if (again.started.length > 0) return 'it was started a second time';
  const runs = await scene.written('runs');
  return runs === 'run\n' ? undefined : `it ran like this: ${JSON.stringify(runs)}`;
}

async function startsNoSecondSupervisor(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob(WAIT_FOR_GO);
  await scene.backend.launch(scene.order(), noted);
  const second = await scene.backend.launch(scene.order(), noted).catch((error: unknown) => error);
  await scene.letGo();
  await scene.untilTerminal(job);
  return isBackendError(second) && second.code === 'LAUNCH_FAILED'
    ? undefined
    : 'the second launch was no LAUNCH_FAILED';
}

async function outlivesItsCommand(scene: Scene): Promise<string | undefined> {
  const [program, ...args] = scene.options.commandProgram ?? [];
  if (program === undefined) return 'not tried: no commandProgram was given';
  const job = await scene.addJob(`${WAIT_FOR_GO}; echo finished > "$OUT/end"`);
  const command = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => command.once('close', resolve));
  command.stdin.end(JSON.stringify(supervisionOrderCodec.encode(scene.order())));
  const isReady = await sayReady(command.stdout);
  command.kill('SIGKILL');
  await ended;
  if (!isReady) return 'the command never said ready';
  await scene.letGo();
  await scene.untilTerminal(job);
  const sidecar = await scene.sidecarOf(job);
  return sidecar?.stage === 'exited' && (await scene.written('end')) !== undefined
    ? undefined
    : `its stage is ${sidecar?.stage}`;
}

async function identityComesFirst(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('cp "$SIDECAR" "$OUT/seen"; echo $$ > "$OUT/pid"');
  await scene.backend.launch(scene.order(), noted);
  await scene.untilTerminal(job);
  const seen = JSON.parse((await scene.written('seen')) ?? 'null');
  const pid = Number(await scene.written('pid'));
  if (seen === null) return 'it found no sidecar';
  return seen.process?.pid === pid && seen.stage === 'starting'
    ? undefined
    : `it found ${JSON.stringify(seen.process)}, and is ${pid}`;
}

async function sayReady(output: AsyncIterable<unknown>): Promise<boolean> {
  let printed = '';
  for await (const chunk of output) {
    printed += String(chunk);
    if (printed.includes('ready')) return true;
  }
  return false;
}

/** Waits until the batch's supervisor has gone: `probe` of an address whose sidecar says nothing tells. */
async function untilFree(scene: Scene, job: Parameters<Scene['addressOf']>[0]): Promise<void> {
  const address = await scene.addressOf(job);
  const nowhere = { ...address, process: null, sidecarPath: `${address.sidecarPath}.none` };
  await scene.until('the end of the supervisor', async () => (await scene.backend.probe(nowhere)) === 'gone');
}
