import { setTimeout as pause } from 'node:timers/promises';
import type { AgentExit, EndVerdict } from '@bailiwick/agent-providers';
import {
  type EndProof,
  type ProcessIdentity,
  type Stage,
  type StatusSidecar,
  writeSidecar,
} from '@bailiwick/dispatch-state';
import type { DispatchId } from '@bailiwick/execution-identity';
import { type OutputFacts, UNKNOWN_USAGE } from './output-reading.ts';
import { UNSEEN_MODEL } from './served-model-watch.ts';

/** What every sidecar of one supervisor says alike. */
export interface SidecarSource {
  readonly dispatchId: DispatchId;
  readonly supervisorVersion: string;
  readonly socketPath: string | null;
}

/** How an attempt ended, as its supervisor saw it. */
export interface AttemptEnd {
  readonly stage: Stage;
  readonly reason: string;
  readonly exit: AgentExit;
  readonly verdict: EndVerdict;
  readonly endProof: EndProof;
  readonly leftProcesses: number;
  readonly facts: OutputFacts;
  readonly lastOutputAt: string | null;
  readonly logBytes: number;
}

/** A sidecar before anything has run. */
export function startingSidecar(source: SidecarSource, process: ProcessIdentity | null): StatusSidecar {
  const at = new Date().toISOString();
  return {
    schemaVersion: '1.0',
    ...source,
    stage: 'starting',
    reason: '',
    process,
    startedAt: at,
    updatedAt: at,
    lastOutputAt: null,
    exitCode: null,
    signal: null,
    endEvidence: 'absent',
    transientFailure: false,
    endProof: 'unknown',
    leftProcesses: 0,
    reportedSessionId: null,
    servedModel: UNSEEN_MODEL,
    usage: UNKNOWN_USAGE,
    lastLine: null,
    logBytes: 0,
  };
}

/** The evidence that settlement works from. */
export function terminalSidecar(starting: StatusSidecar, end: AttemptEnd): StatusSidecar {
  const { reportedSessionId, servedModel, usage, lastLine } = end.facts;
  return {
    ...starting,
    stage: end.stage,
    reason: end.reason,
    updatedAt: new Date().toISOString(),
    lastOutputAt: end.lastOutputAt,
    exitCode: end.exit.exitCode,
    signal: end.exit.signal,
    endEvidence: end.verdict.endEvidence,
    transientFailure: end.verdict.transient,
    endProof: end.endProof,
    leftProcesses: end.leftProcesses,
    reportedSessionId,
    servedModel,
    usage,
    lastLine,
    logBytes: end.logBytes,
  };
}

/** A terminal sidecar of an attempt of which nothing more is known than why it is over. */
export function bareTerminalSidecar(
  starting: StatusSidecar,
  end: { readonly stage: Stage; readonly reason: string; readonly endProof: EndProof; readonly leftProcesses?: number },
): StatusSidecar {
  return { ...starting, ...end, leftProcesses: end.leftProcesses ?? 0, updatedAt: new Date().toISOString() };
}

/** A disk that is full now may not be in a moment; without this write the attempt counts as lost. */
const WRITE_TRIES = 6;
const FIRST_WRITE_PAUSE_MS = 100;

/** Durable when it returns; rejects with the last failure. */
export async function writeTerminalSidecar(path: string, sidecar: StatusSidecar): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await writeSidecar(path, sidecar);
      return;
    } catch (error) {
      if (tries === WRITE_TRIES) throw error;
      await pause(FIRST_WRITE_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}
