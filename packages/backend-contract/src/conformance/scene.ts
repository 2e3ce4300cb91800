import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DispatchRecord,
  dispatchRecordCodec,
  isTerminalStage,
  readSidecar,
  type StatusSidecar,
  type StopIntent,
  type SupervisedJob,
  type SupervisionOrder,
  stopIntentCodec,
} from '@bailiwick/dispatch-state';
import { encodeFileName, ensureFolder, writeDocument, writeTextFile } from '@bailiwick/durable-files';
import {
  type BatchId,
  buildDispatchId,
  invocationIdOf,
  newBatchId,
  newSessionId,
  parseInvocationRef,
  parseWorkerId,
} from '@bailiwick/execution-identity';
import type { AttemptAddress, WorkerBackend } from '../backend.ts';
import type { ConformanceOptions } from './options.ts';
import { launchingRecord } from './sample-record.ts';

/** One run on disk with one batch, and the backend under trial. */
export interface Scene {
  readonly backend: WorkerBackend;
  readonly options: ConformanceOptions;
  /** Makes an attempt whose worker is a shell script; `$OUT` is a folder that the check can read. */
  addJob(script: string): Promise<SupervisedJob>;
  order(): SupervisionOrder;
  addressOf(job: SupervisedJob): Promise<AttemptAddress>;
  sidecarOf(job: SupervisedJob): Promise<StatusSidecar | undefined>;
  writeRecord(job: SupervisedJob, changes: Partial<DispatchRecord>): Promise<void>;
  writeStopIntent(job: SupervisedJob): Promise<void>;
  /** What a worker wrote below `$OUT`; undefined where there is nothing. */
  written(name: string): Promise<string | undefined>;
  /** Lets every worker go on that waits for `$OUT/go`. */
  letGo(): Promise<void>;
  /** Waits for something to be so; throws with `what` where it never is. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  /** Waits until the sidecar of a job is terminal. */
  untilTerminal(job: SupervisedJob): Promise<void>;
}

/** Until `$OUT/go` is there. */
export const WAIT_FOR_GO = 'while [ ! -e "$OUT/go" ]; do sleep 0.05; done';

/** Makes a scene, runs `act` in it, ends whatever still runs and removes it. */
export async function inScene<T>(options: ConformanceOptions, act: (scene: Scene) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(options.workFolder ?? tmpdir(), 'conformance-'));
  const backend = await options.makeBackend();
  const scene = await makeScene(folder, backend, options);
  try {
    return await act(scene);
  } finally {
    await clearScene(scene, folder);
  }
}

/** A backend that can't stop anything leaves no folder either. */
async function clearScene(scene: Scene, folder: string): Promise<void> {
  try {
    await endWorkers(scene);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function endWorkers(scene: Scene): Promise<void> {
  try {
    const { jobs } = scene.order();
    for (const job of jobs) await scene.writeStopIntent(job);
    const addresses = await Promise.all(jobs.map((job) => scene.addressOf(job)));
    await scene.backend.stop(addresses, { by: 'the end of a check', graceMs: 0 });
  } finally {
    await scene.backend.close();
  }
}

const FOLDERS = ['records', 'sidecars', 'logs', 'locks', 'prompts', 'stops', 'work', 'out'] as const;

async function makeScene(folder: string, backend: WorkerBackend, options: ConformanceOptions): Promise<Scene> {
  for (const name of FOLDERS) await ensureFolder(join(folder, name));
  const batchId = newBatchId();
  const jobs: SupervisedJob[] = [];
  const socketPath = options.socketPathOf?.({ runDirectory: folder, batchId }) ?? null;
  const liveLockPath = join(folder, 'locks', `${encodeFileName(batchId)}.live`);
  const writeRecord = (job: SupervisedJob, changes: Partial<DispatchRecord>): Promise<unknown> =>
    writeDocument(job.recordPath, dispatchRecordCodec, { ...launchingRecord(job, batchId), ...changes });
  return {
    backend,
    options,
    addJob: async (script) => {
      const job = shellJob(folder, script, options.path ?? '/usr/local/bin:/usr/bin:/bin');
      await writeTextFile(job.promptPath, 'Do what the script says.\n');
      await writeRecord(job, {});
      jobs.push(job);
      return job;
    },
    order: () => orderOf({ folder, batchId, jobs, liveLockPath, socketPath }),
    addressOf: async (job) => {
      const sidecar = await readSidecar(job.sidecarPath);
      const { dispatchId, sidecarPath } = job;
      return { batchId, dispatchId, sidecarPath, liveLockPath, socketPath, process: sidecar?.process ?? null };
    },
    sidecarOf: (job) => readSidecar(job.sidecarPath),
    writeRecord: async (job, changes) => void (await writeRecord(job, changes)),
    writeStopIntent: async (job) => void (await writeDocument(job.stopIntentPath, stopIntentCodec, stopIntent())),
    written: (name) => readFile(join(folder, 'out', name), 'utf8').catch(() => undefined),
    until: (what, look) => until(what, look, options.patienceMs ?? DEFAULT_PATIENCE_MS),
    untilTerminal: async (job) => {
      const isOver = async (): Promise<boolean> =>
        isTerminalStage((await readSidecar(job.sidecarPath))?.stage ?? 'starting');
      await until('a terminal sidecar', isOver, options.patienceMs ?? DEFAULT_PATIENCE_MS);
    },
    letGo: async () => void (await writeTextFile(join(folder, 'out', 'go'), '')),
  };
}

const DEFAULT_PATIENCE_MS = 30_000;

async function until<T>(what: string, look: () => Promise<T | undefined | false>, patienceMs: number): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  while (performance.now() < deadlineMs) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(20);
  }
  throw new Error(`never seen: ${what}`);
}

function stopIntent(): StopIntent {
  return { schemaVersion: '1.0', workerId: parseWorkerId('worker-1'), by: 'the suite', at: new Date().toISOString() };
}

function shellJob(folder: string, script: string, path: string): SupervisedJob {
  const ref = parseInvocationRef(`conformance-${newSessionId()}`);
  const dispatchId = buildDispatchId(invocationIdOf(ref, 1), 1);
  const file = encodeFileName(dispatchId);
  const sidecarPath = join(folder, 'sidecars', `${file}.json`);
  return {
    dispatchId,
    recordPath: join(folder, 'records', `${file}.json`),
    sidecarPath,
    logPath: join(folder, 'logs', `${file}.log`),
    provider: 'custom',
    endEvidence: 'exit-code',
    argv: ['/bin/sh', '-c', script],
    env: { PATH: path, OUT: join(folder, 'out'), SIDECAR: sidecarPath },
    cwd: join(folder, 'work'),
    stdin: { kind: 'none' },
    promptPath: join(folder, 'prompts', `${file}.md`),
    dropBoxPath: join(folder, 'out'),
    sessionId: '',
    limits: { hardMs: 120_000, idleMs: 120_000, graceMs: 300 },
    servedModel: { selectedModelRef: MODEL_REF, poolEntries: [POOL_ENTRY], minimumSource: null },
    stopIntentPath: join(folder, 'stops', `${file}.json`),
  };
}

const MODEL_REF = 'custom/any';
const POOL_ENTRY = {
  modelRef: MODEL_REF,
  providerId: 'custom',
  modelId: 'any',
  versionKind: 'pinned',
  aliases: [],
  bindings: [],
};

function orderOf(parts: {
  readonly folder: string;
  readonly batchId: BatchId;
  readonly jobs: readonly SupervisedJob[];
  readonly liveLockPath: string;
  readonly socketPath: string | null;
}): SupervisionOrder {
  const { folder, batchId, jobs, liveLockPath, socketPath } = parts;
  return {
    schemaVersion: '1.0',
    runDirectory: folder,
    batchId,
    liveLockPath,
    socketPath,
    maxConcurrent: 8,
    maxLogBytes: 1_000_000,
    jobs: [...jobs],
  };
}
