import { mkdirSync } from 'node:fs';
import {
  buildDispatchId,
  invocationIdOf,
  parseBatchId,
  parseExecutionLabel,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
  type WorkerId,
} from '@bailiwick/execution-identity';
import {
  createRun,
  type DispatchRecord,
  dispatchRecordCodec,
  type Invocation,
  invocationCodec,
  layoutOfRun,
  type RunLayout,
  type RunManifest,
  runManifestCodec,
  type Settlement,
  type StatusSidecar,
  statusSidecarCodec,
} from '../../src/index.ts';
import { accepted } from './fixtures.ts';
import { tempFolder } from './temp-folder.ts';

/** The accepted fixtures as domain values. */
export function manifestLike(name: string, changes: Partial<RunManifest> = {}): RunManifest {
  return { ...runManifestCodec.decode(accepted('run-manifest', name), name), ...changes };
}

export function recordLike(name: string, changes: Partial<DispatchRecord> = {}): DispatchRecord {
  return { ...dispatchRecordCodec.decode(accepted('dispatch-record', name), name), ...changes };
}

export function invocationLike(name: string, changes: Partial<Invocation> = {}): Invocation {
  return { ...invocationCodec.decode(accepted('invocation', name), name), ...changes };
}

export function sidecarLike(name: string, changes: Partial<StatusSidecar> = {}): StatusSidecar {
  return { ...statusSidecarCodec.decode(accepted('status-sidecar', name), name), ...changes };
}

/** A record of another attempt, invocation or worker than the fixture's. */
export function attemptOf(
  o: { readonly worker?: string; readonly invocation?: string; readonly attempt?: number; readonly like?: string },
  changes: Partial<DispatchRecord> = {},
): DispatchRecord {
  const { worker = 'implementer', invocation = 'inv-1', attempt = 1, like = 'launching' } = o;
  const invocationRef = parseInvocationRef(invocation);
  const invocationId = invocationIdOf(invocationRef, attempt);
  return recordLike(like, {
    participantRef: parseParticipantRef(`participant.${worker}`),
    roleExecutionRef: parseRoleExecutionRef(`role.${worker}`),
    executionLabel: parseExecutionLabel(worker),
    invocationRef,
    invocationId,
    attempt,
    dispatchId: buildDispatchId(invocationId, attempt),
    batchId: parseBatchId('b-1'),
    batchInvocations: [invocationRef],
    ...changes,
  });
}

/** What would be settled of an attempt whose terminal record this is. */
export function settlementIn(record: DispatchRecord): Settlement {
  const { status, reason, finishedAt, lifecycle, contract, result, retry, process } = record;
  const { servedModel, usage, reportedSessionId, stoppedBy, evidence } = record;
  if (finishedAt === null || lifecycle === null || contract === null || result === null) throw new Error('no end');
  if (servedModel === null || usage === null || evidence === null) throw new Error('no end');
  return {
    status,
    reason,
    finishedAt,
    lifecycle,
    contract,
    result,
    retry,
    process,
    servedModel,
    usage,
    reportedSessionId,
    stoppedBy,
    evidence,
  };
}

/** A run on the real disk, without anything in it but its manifest. */
export async function newRun(): Promise<{ readonly layout: RunLayout; readonly manifest: RunManifest }> {
  const manifest = manifestLike('shared-tree');
  const layout = layoutOfRun(tempFolder(), manifest.runId);
  await createRun(layout, manifest);
  return { layout, manifest };
}

/** A run's folders without the cost of flushing them. */
export function bareRun(): RunLayout {
  const layout = layoutOfRun(tempFolder(), manifestLike('shared-tree').runId);
  for (const folder of [layout.openFolder, layout.dispatchesFolder, layout.stopsFolder, layout.locksFolder])
    mkdirSync(folder, { recursive: true });
  return layout;
}

export function workers(...ids: readonly string[]): readonly WorkerId[] {
  return ids.map((id) => parseWorkerId(id));
}
