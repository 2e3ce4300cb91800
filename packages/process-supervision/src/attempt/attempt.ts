/**
 * One attempt as a process. Invariants:
 *
 * A1 It starts only where admission says so, and at most once.
 * A2 The process identity is in the durable sidecar before the gate opens; whatever fails before ends the worker at its
 *    gate.
 * A3 The first cause to end it counts. A served-model mismatch alone outranks the others, also when it is seen last.
 * A4 The wait ends with the leader's exit. What is left of the tree is ended, then the output is drained for a bounded
 *    time.
 * A5 Two durable writes of the sidecar, `starting` and a terminal one; the stages in between are hints.
 * A6 A terminal stage is told only once its sidecar is durable.
 * A7 A worker whose order asks for a boundary runs in it or not at all.
 * A8 Its transcript is read after its tree and output have ended, and before its private folder is taken away.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentExit } from '@bailiwick/agent-providers';
import {
  type EndProof,
  type ProcessIdentity,
  type Stage,
  type StatusSidecar,
  type SupervisedJob,
  writeSidecar,
} from '@bailiwick/dispatch-state';
import type { GatewayAttempt, ModelGateway } from '@bailiwick/model-gateway';
import { commandOf } from '../boundary/confine.ts';
import { removeNamespaceNote } from '../boundary/namespace-note.ts';
import { exitInside } from '../boundary/namespace-watch.ts';
import { removePrivatePlaces } from '../boundary/private-places.ts';
import { messageOf } from '../errors.ts';
import { admitToGateway } from '../gateway/open-gateway.ts';
import { placeGateway } from '../gateway/place-gateway.ts';
import { removeOwnHome } from '../home/own-home.ts';
import { endProcessTree, endWatchedTree, type WatchedEnd } from '../process/end-tree.ts';
import { admitJob, stopperOf } from './admission.ts';
import { conclude } from './conclude.ts';
import { type EndCause, EndRequest } from './end-request.ts';
import { type GatedWorker, startGated } from './gated-start.ts';
import { LimitWatch } from './limit-watch.ts';
import { OutputPump } from './output-pump.ts';
import { type PreparedAttempt, prepareAttempt } from './prepare-attempt.ts';
import {
  bareTerminalSidecar,
  type SidecarSource,
  startingSidecar,
  terminalSidecar,
  writeTerminalSidecar,
} from './sidecars.ts';
import { readTranscript } from './transcript.ts';

/** What became of a job's start; told once. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly process: ProcessIdentity }
  | { readonly kind: 'failed'; readonly reason: string };

export interface AttemptOptions extends Omit<SidecarSource, 'dispatchId'> {
  readonly maxLogBytes: number;
  readonly onStage: (stage: Stage) => void;
  /** Where jobs reach their model server through a gateway. */
  readonly gateway?: ModelGateway;
  /** Gets what the agent prints, for a person who watches. */
  readonly display?: (chunk: Uint8Array) => void;
}

/** How long the operating system may take to report an exit after the tree was seen to be gone. */
const EXIT_REPORT_MS = 5_000;
/** After this long without output an unfinished last line is looked at for a question. */
const QUIET_MS = 3_000;

export class Attempt {
  readonly job: SupervisedJob;
  readonly #options: AttemptOptions;
  readonly #end = new EndRequest();
  readonly #limits: LimitWatch;
  #reading: PreparedAttempt['reading'] | undefined;
  #stage: Stage | undefined;
  #isOver = false;
  /** An attempt that isn't this supervisor's to run keeps its private folder. */
  #mayHavePlaces = false;
  #way: GatewayAttempt | undefined;

  constructor(job: SupervisedJob, options: AttemptOptions) {
    this.job = job;
    this.#options = options;
    this.#limits = new LimitWatch(job.limits, (limit) =>
      this.#end.make(causeOfLimit(limit, job, this.#reading?.waitingFor ?? null)),
    );
  }

  /** Undefined before the start and where it was refused. */
  get stage(): Stage | undefined {
    return this.#stage;
  }

  /** True once something has asked for its end. */
  get isEnding(): boolean {
    return this.#end.cause !== undefined;
  }

  stop(by: string, graceMs: number): void {
    this.#end.make({ stage: 'stopped', reason: `stopped by ${by}`, graceMs });
  }

  /** To be called about once a second: looks for a stop intent, and whether the agent asks something. */
  async tick(): Promise<void> {
    if (this.#end.cause !== undefined || this.#isOver) return;
    if (this.#limits.quietMs() > QUIET_MS) this.#reading?.askWhetherItWaits();
    this.#showWaiting();
    // What can't be seen now is looked for again at the next tick.
    const by = await stopperOf(this.job.stopIntentPath).catch(() => undefined);
    if (by !== undefined) this.stop(by, this.job.limits.graceMs);
  }

  /** Runs it to its terminal sidecar. Rejects only where that can't be written; the attempt then counts as lost. */
  async run(slot: number, onStart: (outcome: StartOutcome) => void): Promise<void> {
    try {
      await this.#runOnce(slot, onStart);
      // Its end is proven or told by now; where the sidecar could not be written, the note stays for whoever clears up.
      if (this.#mayHavePlaces) await removeNamespaceNote(this.job.sidecarPath);
    } finally {
      this.#isOver = true;
      this.#way?.close();
      if (this.#mayHavePlaces) await removePlacesOf(this.job);
    }
  }

  async #runOnce(slot: number, onStart: (outcome: StartOutcome) => void): Promise<void> {
    const admission = await admitJob(this.job); // A1
    if (admission.kind === 'refused') {
      onStart({ kind: 'failed', reason: admission.reason });
      return;
    }
    if (admission.kind === 'stopped') this.stop(admission.by, 0);
    const started = await this.#start(slot).catch((error: unknown) => messageOf(error));
    if (typeof started === 'string') {
      await this.#neverStarted(started, onStart);
      return;
    }
    this.#reading = started.reading;
    started.worker.open();
    onStart({ kind: 'started', process: started.worker.process });
    this.#show('running');
    await this.#supervise(started);
  }

  async #start(slot: number): Promise<StartedAttempt> {
    this.#refuseWhenEnded();
    const prepared = await prepareAttempt(this.job, {
      maxLogBytes: this.#options.maxLogBytes,
      onMismatch: (reason) => this.#end.make({ stage: 'served-model-mismatch', reason, graceMs: 0 }),
    });
    try {
      return { ...prepared, ...(await this.#holdAtGate(slot, this.#throughGateway(prepared.reading))) };
    } catch (error) {
      await prepared.log.close();
      throw error;
    }
  }

  /** The job with its own way through the gateway, where its order asks for one. */
  #throughGateway(reading: PreparedAttempt['reading']): SupervisedJob {
    if (this.job.gateway === undefined) return this.job;
    this.#way = admitToGateway(this.#options.gateway, this.job.gateway, (event) => reading.noteWire(event));
    return placeGateway(this.job, this.#way.url);
  }

  async #holdAtGate(slot: number, job: SupervisedJob): Promise<Pick<StartedAttempt, 'worker' | 'sidecar' | 'env'>> {
    this.#mayHavePlaces = true;
    const command = await commandOf(job); // A7
    const worker = await startGated(job, slot, command);
    try {
      const sidecar = startingSidecar(this.#source(), worker.process);
      await writeSidecar(this.job.sidecarPath, sidecar); // A2
      this.#show('starting');
      this.#refuseWhenEnded();
      return { worker, sidecar, env: command.env };
    } catch (error) {
      worker.abandon();
      throw error;
    }
  }

  #refuseWhenEnded(): void {
    if (this.#end.cause !== undefined) throw new Error(this.#end.cause.reason);
  }

  /** A stop that came before the gate opened is a stop; everything else is a failed launch. */
  async #neverStarted(reason: string, onStart: (outcome: StartOutcome) => void): Promise<void> {
    const endProof = await endProofOf(this.job.dispatchId);
    const stage = this.#end.cause?.stage ?? 'launch-failed';
    const sidecar = bareTerminalSidecar(startingSidecar(this.#source(), null), { stage, reason, endProof });
    try {
      await writeTerminalSidecar(this.job.sidecarPath, sidecar);
      this.#show(stage);
    } finally {
      onStart({ kind: 'failed', reason });
    }
  }

  async #supervise({ worker, sidecar, reading, log, env }: StartedAttempt): Promise<void> {
    const { display } = this.#options;
    const pump = new OutputPump(worker, {
      reading,
      log,
      onOutput: () => this.#noteOutput(),
      ...(display && { display }),
    });
    this.#limits.start();
    await Promise.race([worker.exited, this.#end.made]);
    this.#limits.stop();
    const cause = this.#end.cause;
    const tree = await this.#endTree(worker, cause?.graceMs ?? this.job.limits.graceMs); // A4
    const exit = await this.#exitOf(worker);
    await pump.drain();
    await log.close();
    await readTranscript(reading, { env, sessionId: this.job.sessionId }); // A8
    const neverRan = (await worker.namespace?.hasRun()) === false && cause === undefined && exit.exitCode === 1;
    const end = conclude({ cause, exit, tree, reading, log, neverRan, lastOutputAt: pump.lastOutputAt }); // A3, A7
    await writeTerminalSidecar(this.job.sidecarPath, terminalSidecar(sidecar, end)); // A5
    this.#show(end.stage); // A6
  }

  /** The end of a process namespace proves what a search can only fail to find. */
  async #endTree({ process, namespace, exited }: GatedWorker, graceMs: number): Promise<WatchedEnd> {
    const isEnded = await Promise.race([exited.then(() => true), pause(0, false)]);
    if (isEnded) await namespace?.isGone();
    const { hurry } = this.#end;
    const request = { fence: this.job.dispatchId, process, graceMs, hurry, isKeeper: namespace !== undefined };
    const tree = await endWatchedTree(request, true);
    const isProven = tree.isGone && (await namespace?.isGone()) === true;
    return isProven ? { ...tree, endProof: 'namespace' } : tree;
  }

  async #exitOf({ exited, namespace }: GatedWorker): Promise<AgentExit> {
    const exit = await Promise.race([exited, pause(EXIT_REPORT_MS, UNKNOWN_EXIT, { ref: false })]);
    return namespace === undefined ? exit : exitInside(exit);
  }

  /** While the agent waits for an answer that nobody will give, what it prints is no sign of life. */
  #noteOutput(): void {
    if (this.#reading?.waitingFor === null) this.#limits.noteLife();
    this.#showWaiting();
  }

  #showWaiting(): void {
    if (this.#reading === undefined || this.#end.cause !== undefined) return;
    this.#show(this.#reading.waitingFor === null ? 'running' : 'waiting-for-input');
  }

  #show(stage: Stage): void {
    if (this.#stage === stage) return;
    this.#stage = stage;
    this.#options.onStage(stage);
  }

  #source(): SidecarSource {
    const { supervisorVersion, socketPath } = this.#options;
    return { dispatchId: this.job.dispatchId, supervisorVersion, socketPath };
  }
}

async function removePlacesOf({ boundary, ownHome }: SupervisedJob): Promise<void> {
  if (boundary !== undefined) await removePrivatePlaces(boundary);
  if (ownHome !== undefined) await removeOwnHome(ownHome);
}

interface StartedAttempt extends PreparedAttempt {
  readonly worker: GatedWorker;
  /** What it runs with, HOME included. */
  readonly env: Readonly<Record<string, string>>;
  readonly sidecar: StatusSidecar;
}

const UNKNOWN_EXIT: AgentExit = { exitCode: null, signal: null };

/** Nothing has run; what is searched for is a gate that doesn't close, or an earlier attempt under the same id. */
async function endProofOf(fence: string): Promise<EndProof> {
  return endProcessTree({ fence, graceMs: 0 }).then(
    ({ endProof }) => endProof,
    () => 'unknown',
  );
}

function causeOfLimit(limit: 'hard' | 'idle', { limits }: SupervisedJob, waitingFor: string | null): EndCause {
  const { graceMs } = limits;
  if (limit === 'hard') return { stage: 'timed-out', reason: `still running after ${limits.hardMs} ms`, graceMs };
  const what = waitingFor === null ? 'printed nothing' : `waited for an answer to "${waitingFor}"`;
  return { stage: 'idle-timed-out', reason: `${what} for ${limits.idleMs} ms`, graceMs };
}
