import { type SupervisedJob, writeSidecar } from '@bailiwick/dispatch-state';
import type { Liveness } from '../backend.ts';
import { type Scene, WAIT_FOR_GO } from './scene.ts';
import type { Trial } from './trial.ts';

/** B5 and B6: what probing and observing promise. */
export const watchTrials: readonly Trial[] = [
  { name: 'B5 a running attempt is alive, an ended one has ended', try: tellsAliveFromEnded },
  { name: 'B5 an attempt that no supervisor can settle any more is gone', try: tellsGone },
  { name: 'B5 an attempt on a machine that cannot be seen is unknown', try: tellsUnknown },
  { name: 'B6 hints are about the observed attempts alone, and end with the supervisor', try: hintsAreOurs },
  { name: 'B6 where nobody supervises there are no hints, and no waiting', try: noHintsFromNobody },
  { name: 'B6 observing ends when the observer wants it to, and the worker goes on', try: observingEnds },
];

async function tellsAliveFromEnded(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob(WAIT_FOR_GO);
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  const running = await scene.backend.probe(await scene.addressOf(job));
  await scene.letGo();
  await scene.untilTerminal(job);
  return saying([running, await scene.backend.probe(await scene.addressOf(job))], ['alive', 'ended']);
}

async function tellsGone(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('true');
  return saying([await scene.backend.probe(await scene.addressOf(job))], ['gone']);
}

async function tellsUnknown(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('true');
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  await scene.untilTerminal(job);
  const sidecar = await scene.sidecarOf(job);
  const own = sidecar?.process;
  if (sidecar === undefined || own === undefined || own === null) return 'its sidecar names no process';
  const elsewhere = { ...own, hostId: `${own.hostId}-elsewhere` };
  await writeSidecar(job.sidecarPath, { ...sidecar, stage: 'starting', process: elsewhere });
  try {
    return saying([await scene.until('anything but alive', () => otherThanAlive(scene, job))], ['unknown']);
  } finally {
    await writeSidecar(job.sidecarPath, sidecar);
  }
}

/** A supervisor is alive for a moment longer than its last attempt. */
async function otherThanAlive(scene: Scene, job: SupervisedJob): Promise<Liveness | undefined> {
  const seen = await scene.backend.probe(await scene.addressOf(job));
  return seen === 'alive' ? undefined : seen;
}

async function hintsAreOurs(scene: Scene): Promise<string | undefined> {
  const watched = await scene.addJob(WAIT_FOR_GO);
  await scene.addJob(WAIT_FOR_GO);
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  const hinted = new Set<string>();
  const observing = scene.backend.observe(
    [await scene.addressOf(watched)],
    (hint) => hinted.add(hint.dispatchId),
    neverAborts(),
  );
  await scene.letGo();
  await observing;
  await scene.untilTerminal(watched);
  hinted.delete(watched.dispatchId);
  return hinted.size === 0 ? undefined : `hints came about ${[...hinted].join(', ')}`;
}

async function noHintsFromNobody(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob('true');
  let hints = 0;
  await scene.backend.observe([await scene.addressOf(job)], () => (hints += 1), neverAborts());
  return hints === 0 ? undefined : `${hints} hints came`;
}

async function observingEnds(scene: Scene): Promise<string | undefined> {
  const job = await scene.addJob(WAIT_FOR_GO);
  await scene.backend.launch(scene.order(), { onReady: () => undefined });
  const abort = new AbortController();
  const observing = scene.backend.observe([await scene.addressOf(job)], () => undefined, abort.signal);
  abort.abort();
  await observing;
  const seen = await scene.backend.probe(await scene.addressOf(job));
  await scene.letGo();
  await scene.untilTerminal(job);
  return saying([seen], ['alive']);
}

function saying(seen: readonly Liveness[], expected: readonly Liveness[]): string | undefined {
  return seen.join() === expected.join()
    ? undefined
    : `probe said ${seen.join(', then ')}, not ${expected.join(', then ')}`;
}

function neverAborts(): AbortSignal {
  return new AbortController().signal;
}
