import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dropBoxOf } from '@bailiwick/dispatch';
import {
  claimUnaudited,
  logPathOf,
  sidecarPathOf,
  type UnauditedRecord,
  writeSidecar,
  writeUnaudited,
} from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import { buildDispatchId, parseBatchId, parseInvocationId, parseWorkerId } from '@bailiwick/execution-identity';
import type { SampleRun } from './sample-run.ts';
import { sidecarOf } from './sample-sidecar.ts';

const COPY = 'results/old/result.json';
const TEXT = '{"verdict":"pass"}';

/** An attempt of a v1 job that runs. */
export function launchingUnaudited({ layout, manifest }: SampleRun): UnauditedRecord {
  const invocationId = parseInvocationId('old-implementer');
  const dispatchId = buildDispatchId(invocationId, 1);
  const dropBoxPath = dropBoxOf(manifest.projectRoot, invocationId);
  const resultPath = join(dropBoxPath, 'result.json');
  return {
    schemaVersion: '1.0',
    runId: manifest.runId,
    dispatchId,
    workerId: parseWorkerId('implementer'),
    attempt: 1,
    invocationId,
    kind: 'initial',
    role: 'implementer',
    audience: 'implementation-executor',
    assignmentRef: 'implementer',
    backend: 'cli-wrapper',
    provider: 'claude',
    modelRef: 'claude/sonnet',
    modelExecutionValue: 'sonnet',
    hostModelValue: null,
    status: 'launching',
    reason: '',
    sessionId: '',
    reportedSessionId: null,
    promptPath: join(layout.promptsFolder, 'old.md'),
    promptMetadataPath: join(layout.promptsFolder, 'old.md.meta.json'),
    resultPath,
    workerResultPath: resultPath,
    completionPaths: [resultPath],
    dropBoxPath,
    statusSidecarPath: sidecarPathOf(layout, dispatchId),
    logPath: logPathOf(layout, dispatchId),
    dispatchedAt: '2026-11-29T16:20:00.000Z',
    finishedAt: null,
    batchId: parseBatchId('b-old'),
    worktree: manifest.projectRoot,
    inputDigest: digestOfBytes('prompt'),
    limits: manifest.limits,
    enforcementMode: 'unaudited',
    contract: { audited: false, audit: null },
    process: null,
    lifecycle: null,
    result: null,
    servedModel: null,
    usage: null,
    endProof: null,
    stoppedBy: null,
    eventLogOffset: 0,
    errorLogOffset: 0,
  };
}

/** The same once it has completed. */
export function completedUnaudited(run: SampleRun): UnauditedRecord {
  const launching = launchingUnaudited(run);
  const artifact = { path: launching.resultPath, copy: COPY, digest: digestOfBytes(TEXT), bytes: TEXT.length };
  return {
    ...launching,
    status: 'completed',
    finishedAt: '2026-11-29T16:30:00.000Z',
    lifecycle: {
      end: 'exited',
      endProof: 'search',
      exitCode: 0,
      signal: null,
      endEvidence: 'positive',
      transientFailure: false,
    },
    result: {
      isTaken: true,
      artifacts: [artifact],
      missing: [],
      verdict: null,
      summary: null,
      link: null,
      postProcessing: [],
    },
    endProof: 'search',
  };
}

/** Puts it on disk, a completed one with the sidecar that it was settled from and the copy of its result. */
export async function storeUnaudited(run: SampleRun, record: UnauditedRecord): Promise<void> {
  await claimUnaudited(run.layout, launchingUnaudited(run));
  if (record.status === 'launching') return;
  const ended = { stage: 'exited', exitCode: 0, endEvidence: 'positive', endProof: 'search' } as const;
  await writeSidecar(record.statusSidecarPath, sidecarOf(record.dispatchId, ended));
  const copy = join(run.layout.runDirectory, COPY);
  await mkdir(dirname(copy), { recursive: true });
  await writeFile(copy, TEXT);
  await writeUnaudited(run.layout, record);
}
