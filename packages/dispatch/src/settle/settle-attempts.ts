import { join } from 'node:path';
import {
  type DispatchRecord,
  type EvidenceOutcome,
  type LayerOutcome,
  type Lifecycle,
  type ResultOutcome,
  readStopIntent,
  type Settlement,
  type StatusSidecar,
  type StopIntent,
  settleRecord,
  workerOfRecord,
  writeRecord,
} from '@bailiwick/dispatch-state';
import type { MutationAudit } from '@bailiwick/mutation-audit';
import { type DispatchContext, type PostProcessing, timestampOf } from '../context.ts';
import type { ObservedAttempt } from '../observe/decide-batch.ts';
import { bothEnded, mapSeveral } from '../several-at-once.ts';
import { type AuditedAttempt, auditAttempt, type BatchObservation, observeBatch } from './audit-batch.ts';
import { collectArtifacts } from './collect-artifacts.ts';
import { barsCompletion, decideOutcome, isFailedAttempt, type Outcome } from './decide-outcome.ts';
import { finishAttempts } from './finish-attempts.ts';
import { linkResult } from './link-result.ts';
import { layerNoteOf, lookIntoLayer, verdictOfTree } from './look-into-layer.ts';
import { sealRecords } from './seal-record.ts';

/** What settlement knows besides record and sidecar. */
export interface SettleReasons {
  /** Why the whole round was broken off; null in ordinary settlement. */
  readonly abortReason: string | null;
  /** Dispatch id → why an attempt without a terminal sidecar is given up, and how its end is known. */
  readonly lost: ReadonlyMap<string, UnsaidEnd>;
}

/** The end of an attempt of which no sidecar says how it ended. */
export interface UnsaidEnd {
  /** `stopped`: it was claimed, and stopped before it could start. */
  readonly end: 'lost' | 'stopped';
  readonly reason: string;
  readonly endProof: Lifecycle['endProof'];
}

/**
 * Settles attempts of one batch at a quiescent point. The caller holds the settle lock and has proven that nothing of them lives.
 *
 * S1 The terminal record is the commit point: events and marker follow it, and whoever finds them missing makes up for it (ST-4).
 * S2 Artifacts are copied before anything is decided, and only the copies are read (MA-13).
 * S3 One comparison serves all attempts (MA-9).
 * S4 The seal is durable before the record that names it (EV-3).
 * S5 An attempt that can't be settled holds up no other; its error is thrown when the others are done (AW-3).
 */
export async function settleAttempts(
  context: DispatchContext,
  attempts: readonly ObservedAttempt[],
  reasons: SettleReasons,
): Promise<readonly DispatchRecord[]> {
  const [first] = attempts;
  if (first === undefined) return [];
  const failures: unknown[] = [];
  const gatherOne = keepingAside(failures, (attempt: ObservedAttempt) => gather(context, attempt, reasons));
  const wasStarted = attempts.some(({ sidecar }) => sidecar?.process != null);
  // Copying waits for the disk, comparing keeps the processor busy.
  const [found, observed] = await bothEnded(
    mapSeveral(attempts, gatherOne),
    observeBatch(context, first.record, wasStarted),
  );
  const gathered = found.flat();
  const decideOne = keepingAside(failures, (one: Gathered) => decide(context, one, { observed, gathered, reasons }));
  const decided = (await mapSeveral(gathered, decideOne)).flat();
  const settled: DispatchRecord[] = [];
  for (let at = 0; at < decided.length; at += TOGETHER)
    settled.push(...(await commit(context, decided.slice(at, at + TOGETHER), failures)));
  for (const failure of failures) throw failure;
  return settled;
}

/** What an item throws is kept aside, and the rest goes on. */
function keepingAside<T, R>(failures: unknown[], work: (item: T) => Promise<R>): (item: T) => Promise<readonly R[]> {
  return async (item) => {
    try {
      return [await work(item)];
    } catch (error) {
      failures.push(error);
      return [];
    }
  };
}

interface Gathered extends AuditedAttempt {
  readonly sidecar: StatusSidecar | undefined;
  readonly lifecycle: Lifecycle;
  readonly endReason: string;
  readonly layer: LayerOutcome | undefined;
  readonly stopIntent: StopIntent | undefined;
}

async function gather(context: DispatchContext, attempt: ObservedAttempt, reasons: SettleReasons): Promise<Gathered> {
  const { record, sidecar } = attempt;
  const lost = reasons.lost.get(record.dispatchId);
  const lifecycle = lifecycleOf(sidecar, lost);
  const collected = await collectArtifacts(context, record);
  return {
    record,
    sidecar,
    lifecycle,
    collected,
    endReason: lost?.reason ?? sidecar?.reason ?? '',
    layer: await lookIntoLayer(context, record, sidecar?.process != null),
    isFailed: isFailedAttempt(lifecycle, collected.missing),
    stopIntent: await readStopIntent(context.layout, workerOfRecord(record, context.manifest)),
  };
}

function lifecycleOf(sidecar: StatusSidecar | undefined, unsaid: UnsaidEnd | undefined): Lifecycle {
  return {
    end: unsaid?.end ?? sidecar?.stage ?? 'lost',
    endProof: unsaid?.endProof ?? sidecar?.endProof ?? 'unknown',
    exitCode: sidecar?.exitCode ?? null,
    signal: sidecar?.signal ?? null,
    endEvidence: sidecar?.endEvidence ?? 'absent',
    transientFailure: sidecar?.transientFailure ?? false,
  };
}

/** An attempt's end as it was decided; nothing of it is written yet. */
interface DecidedEnd {
  readonly record: DispatchRecord;
  readonly settlement: Omit<Settlement, 'evidence'>;
  /** What post-processing made. */
  readonly made: readonly string[];
}

async function decide(
  context: DispatchContext,
  one: Gathered,
  batch: {
    readonly observed: BatchObservation;
    readonly gathered: readonly Gathered[];
    readonly reasons: SettleReasons;
  },
): Promise<DecidedEnd> {
  const audit = await auditAttempt(context, batch.observed, one, batch.gathered);
  const mayLink = batch.reasons.abortReason === null && isSound(one, audit);
  const link = mayLink ? linkResult(context, one.record) : null;
  const postProcessing = link === null ? null : await postProcess(context, one);
  const outcome = decideOutcome({
    invocationRef: one.record.invocationRef,
    attempt: one.record.attempt,
    maxAttempts: one.record.maxAttempts,
    lifecycle: one.lifecycle,
    endReason: one.endReason,
    logPath: one.record.logPath,
    missing: one.collected.missing,
    audit,
    isStopped: isStopped(one),
    abortReason: batch.reasons.abortReason,
    postProcessing,
    layerNote: layerNoteOf(one.layer, one.collected.workerResult.verdict),
  });
  const settlement = settlementOf(context, one, { audit, outcome, link, postProcessing });
  return { record: one.record, settlement, made: postProcessing?.files ?? [] };
}

/** So many are committed together, sharing flushes; a process that dies has no more to decide anew. */
const TOGETHER = 64;

/** Seals, then records (S4), then what follows them (S1). */
async function commit(
  context: DispatchContext,
  decided: readonly DecidedEnd[],
  failures: unknown[],
): Promise<readonly DispatchRecord[]> {
  const toSeal = decided.map(({ record, settlement, made }) => ({
    record,
    made,
    terminalForm: (evidence: EvidenceOutcome) => settleRecord(record, { ...settlement, evidence }),
  }));
  const sealed = await sealRecords(context, toSeal, (error) => failures.push(error));
  const write = keepingAside(failures, async (record: DispatchRecord) => {
    await writeRecord(context.layout, record);
    return record;
  });
  const written = (await mapSeveral(sealed, write)).flat();
  await keepingAside(failures, () => finishAttempts(context, written))(undefined);
  for (const record of written) context.onProgress({ kind: 'settled', record });
  return written;
}

/** Good enough to be linked and post-processed; a post-processing step may still fail it. */
function isSound(one: Gathered, audit: MutationAudit | null): boolean {
  return (
    one.lifecycle.end === 'exited' &&
    one.lifecycle.endEvidence === 'positive' &&
    one.collected.missing.length === 0 &&
    !barsCompletion(audit)
  );
}

/** A stage of its own says so; a worker that was lost after a stop was asked for counts as stopped too (ST-9). */
function isStopped(one: Gathered): boolean {
  return one.lifecycle.end === 'stopped' || (one.lifecycle.end === 'lost' && one.stopIntent !== undefined);
}

async function postProcess(context: DispatchContext, one: Gathered): Promise<PostProcessing | null> {
  if (one.record.role !== 'report-writer') return null;
  const report = one.collected.artifacts.find((artifact) => artifact.path === one.record.resultPath);
  return report === undefined ? null : context.postProcess(one.record, join(context.layout.runDirectory, report.copy));
}

interface Decided {
  readonly audit: MutationAudit | null;
  readonly outcome: Outcome;
  readonly link: ResultOutcome['link'];
  readonly postProcessing: PostProcessing | null;
}

function settlementOf(context: DispatchContext, one: Gathered, decided: Decided): Omit<Settlement, 'evidence'> {
  const { audit, outcome } = decided;
  return {
    status: outcome.status,
    reason: outcome.reason,
    retry: outcome.retry,
    finishedAt: timestampOf(context),
    lifecycle: one.lifecycle,
    contract: { audited: audit !== null, audit, ...(one.layer === undefined ? {} : { layer: one.layer }) },
    result: resultOutcome(one, decided),
    process: one.sidecar?.process ?? null,
    servedModel: one.sidecar?.servedModel ?? NO_MODEL_SEEN,
    usage: one.sidecar?.usage ?? UNKNOWN_USAGE,
    reportedSessionId: one.sidecar?.reportedSessionId ?? null,
    stoppedBy: outcome.status === 'stopped' ? (one.stopIntent?.by ?? one.endReason) : null,
  };
}

function resultOutcome({ collected, layer }: Gathered, { outcome, link, postProcessing }: Decided): ResultOutcome {
  const { artifacts, missing, workerResult } = collected;
  return {
    isTaken: outcome.takesResult,
    artifacts,
    missing,
    verdict: verdictOfTree(layer, workerResult.verdict),
    summary: workerResult.summary,
    link: link !== null && !outcome.takesResult ? { ok: false, reason: outcome.reason } : link,
    postProcessing: postProcessing?.steps ?? [],
  };
}

const NO_MODEL_SEEN = { level: 'unknown', normalizedModelRef: null, reported: [], source: 'none', turns: 0 } as const;
const UNKNOWN_USAGE = {
  inputTokens: 'unknown',
  outputTokens: 'unknown',
  cachedInputTokens: 'unknown',
  costUsd: 'unknown',
} as const;
