import { setTimeout as pause } from 'node:timers/promises';
import { isTerminalStage } from '@bailiwick/dispatch-state';
import type { StopOutcome } from '../backend.ts';
import { type Scene, WAIT_FOR_GO } from './scene.ts';
import type { Trial } from './trial.ts';

/** B4: what a stop promises. */
export const stopTrials: readonly Trial[] = [
  { name: 'B4 a stop ends a worker with everything that it started, and its sidecar is terminal', try: endsTheTree },
  { name: 'B4 a stop of one attempt leaves the others of its batch alone', try: leavesOthersAlone },
  { name: 'B4 an attempt that has ended by itself keeps its end', try: keepsTheEnd },
  {
    name: 'B4 a stop before anything was launched leaves a terminal sidecar, and nothing starts after it',
    try: stopsBeforeLaunch,
  },
];

const STUBBORN = 'trap "" TERM INT HUP; while :; do echo x >> "$OUT/beats"; sleep 0.05; done';
/** Longer than some beats of the workers above. */
const SILENCE_MS = 400;

async function endsTheTree(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob(`setsid sh -c '${STUBBORN}' & echo up > "$OUT/up"; ${STUBBORN}`);
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  await scene.until('a beat', () => scene.written('beats'));
  const outcome = await stopOne(scene, job);
  const beats = await scene.written('beats');
  await pause(SILENCE_MS);
  if ((await scene.written('beats')) !== beats) return 'something of it still beats';
  if (outcome?.isGone !== true) return `the outcome says ${JSON.stringify(outcome)}`;
  return terminalProblem(scene, job, 'stopped');
}

async function leavesOthersAlone(scene: Scene): Promise<string | undefined> {
  const stopped = await scene.addJob(STUBBORN);
  const other = await scene.addJob(`${WAIT_FOR_GO}; echo finished > "$OUT/end"`);
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  await stopOne(scene, stopped);
  await scene.letGo();
  await scene.untilTerminal(other);
  if ((await scene.written('end')) === undefined) return 'the other one did not finish';
  return terminalProblem(scene, other, 'exited');
}

async function keepsTheEnd(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('exit 3');
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  await scene.untilTerminal(job);
  const outcome = await stopOne(scene, job);
  if (outcome?.isGone !== true) return `the outcome says ${JSON.stringify(outcome)}`;
  return terminalProblem(scene, job, 'exited');
}

async function stopsBeforeLaunch(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('echo run > "$OUT/ran"');
  const outcome = await stopOne(scene, job);
  if (outcome?.isGone !== true) return `the outcome says ${JSON.stringify(outcome)}`;
  const report = await scene.backend.launch(scene.order(), { onReady: () => undefined });
  if (report.started.length > 0 || (await scene.written('ran')) !== undefined) return 'it was started afterwards';
  return terminalProblem(scene, job, 'stopped');
}

/** As `team stop` does it: where the supervisor has no socket, it finds the intent at its next tick. */
async function stopOne(scene: Scene, job: Parameters<Scene['addressOf']>[0]): Promise<StopOutcome | undefined> {
  const address = await scene.addressOf(job);
  if (address.socketPath === null) await scene.writeStopIntent(job);
  const outcomes = await scene.backend.stop([address], { by: 'the suite', graceMs: 100 });
  return outcomes.find(({ dispatchId }) => dispatchId === job.dispatchId);
}

async function terminalProblem(
  scene: Scene,
  job: Parameters<Scene['sidecarOf']>[0],
  stage: 'stopped' | 'exited',
): Promise<string | undefined> {
  const sidecar = await scene.sidecarOf(job);
  if (sidecar === undefined || !isTerminalStage(sidecar.stage))
    return `its sidecar says ${sidecar?.stage ?? 'nothing'}`;
  return sidecar.stage === stage ? undefined : `its stage is ${sidecar.stage}, not ${stage}`;
}
