import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DispatchRecord,
  readSidecar,
  type StatusSidecar,
  type SupervisedJob,
  type SupervisionOrder,
} from '@bailiwick/dispatch-state';
import { encodeFileName, ensureFolder } from '@bailiwick/durable-files';
import { buildDispatchId, invocationIdOf, newBatchId, parseInvocationRef } from '@bailiwick/execution-identity';
import { sampleRecord } from './sample-record.ts';

/** A run's folder with the documents that a supervisor looks at. */
export interface TestRun {
  readonly folder: string;
  /** Writes record and prompt of a new attempt. */
  job(argv: readonly string[], changes?: Partial<SupervisedJob>): Promise<SupervisedJob>;
  order(jobs: readonly SupervisedJob[], changes?: Partial<SupervisionOrder>): SupervisionOrder;
  setStatus(job: SupervisedJob, status: DispatchRecord['status']): Promise<void>;
  sidecar(job: SupervisedJob): Promise<StatusSidecar | undefined>;
  log(job: SupervisedJob): Promise<string>;
  path(name: string): string;
  read(name: string): Promise<string | undefined>;
  remove(): Promise<void>;
}

/** Every fence that this file's tests used. */
export const usedFences = new Set<string>();

export function shell(script: string): readonly string[] {
  return ['/bin/sh', '-c', script];
}

let counter = 0;

export async function makeTestRun(parent: string = tmpdir()): Promise<TestRun> {
  const folder = await mkdtemp(join(parent, 'supervision-'));
  for (const name of ['records', 'sidecars', 'logs', 'locks', 'prompts', 'stops', 'work', 'out'])
    await ensureFolder(join(folder, name));
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    path,
    job: (argv, changes) => makeJob(folder, argv, changes),
    order: (jobs, changes) => makeOrder(folder, jobs, changes),
    setStatus: async (job, status) => writeRecord(job, status),
    sidecar: (job) => readSidecar(job.sidecarPath),
    log: (job) => readFile(job.logPath, 'utf8'),
    read: (name) => readFile(path(name), 'utf8').catch(() => undefined),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeJob(
  folder: string,
  argv: readonly string[],
  changes: Partial<SupervisedJob> = {},
): Promise<SupervisedJob> {
  counter += 1;
  const ref = parseInvocationRef(`inv-${process.pid}-${Date.now()}-${counter}`);
  const dispatchId = buildDispatchId(invocationIdOf(ref, 1), 1);
  const file = encodeFileName(dispatchId);
  usedFences.add(dispatchId);
  const job: SupervisedJob = {
    dispatchId,
    recordPath: join(folder, 'records', `${file}.json`),
    sidecarPath: join(folder, 'sidecars', `${file}.json`),
    logPath: join(folder, 'logs', `${file}.log`),
    provider: 'custom',
    endEvidence: 'exit-code',
    argv,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, OUT: join(folder, 'out') },
    cwd: join(folder, 'work'),
    stdin: { kind: 'prompt-file' },
    promptPath: join(folder, 'prompts', `${file}.md`),
    dropBoxPath: join(folder, 'out'),
    sessionId: '',
    limits: { hardMs: 60_000, idleMs: 60_000, graceMs: 300 },
    servedModel: {
      selectedModelRef: 'custom/any',
      poolEntries: [poolEntry('custom/any', 'custom')],
      minimumSource: null,
    },
    stopIntentPath: join(folder, 'stops', `${file}.json`),
    ...changes,
  };
  await writeFile(job.promptPath, 'Do the work.\n');
  await writeRecord(job, 'launching');
  return job;
}

/** A row of a model pool as an order carries it. */
export function poolEntry(modelRef: string, providerId: string, aliases: readonly string[] = []): unknown {
  const binding = {
    hostId: 'terminal',
    runner: 'cli-wrapper',
    resolvedExecutionValue: modelRef,
    hostModelValue: null,
    workerWriteCapability: { maxBoundaryPrecision: 'none' },
  };
  const modelId = modelRef.slice(modelRef.indexOf('/') + 1);
  return { modelRef, providerId, modelId, versionKind: 'pinned', aliases, bindings: [binding] };
}

function makeOrder(
  folder: string,
  jobs: readonly SupervisedJob[],
  changes: Partial<SupervisionOrder> = {},
): SupervisionOrder {
  const batchId = newBatchId();
  return {
    schemaVersion: '1.0',
    runDirectory: folder,
    batchId,
    liveLockPath: join(folder, 'locks', `${batchId}.live`),
    socketPath: null,
    maxConcurrent: 8,
    maxLogBytes: 1_000_000,
    jobs,
    ...changes,
  };
}

async function writeRecord(job: SupervisedJob, status: DispatchRecord['status']): Promise<void> {
  // The record is written without the rules of a terminal one: a supervisor looks at its id and status alone.
  await writeFile(job.recordPath, JSON.stringify(sampleRecord(job, status)));
}
