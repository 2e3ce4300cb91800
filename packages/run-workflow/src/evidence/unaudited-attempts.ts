import { basename, join, relative } from 'node:path';
import { SealDifferenceCode } from '@bailiwick/attempt-evidence';
import {
  isTerminalStage,
  isTerminalStatus,
  type StatusSidecar,
  statusSidecarCodec,
  type UnauditedRecord,
  unauditedPathOf,
} from '@bailiwick/dispatch-state';
import { digestOfFile, readDocument } from '@bailiwick/durable-files';
import type { StoredRun } from '../select-run.ts';
import { type RunDifference, RunDifferenceCode } from './difference.ts';

/** An attempt of a v1 job, of which nobody knows what it changed: neither audited nor sealed. */
export interface UnauditedState {
  readonly dispatchId: string;
  readonly workerId: string;
  readonly status: UnauditedRecord['status'];
}

/** What can be said of a run's v1 jobs: that they are there. */
export function unauditedStates({ unaudited = [] }: StoredRun): readonly UnauditedState[] {
  return unaudited.map(({ dispatchId, workerId, status }) => ({ dispatchId, workerId, status }));
}

/**
 * What can be checked of v1 jobs without a seal: whom they are of, how they ended by record and sidecar, and the copies of what they
 * handed in. With `requireSigned` each settled one is a difference itself. Writes nothing.
 */
export async function unauditedDifferences(
  run: StoredRun,
  { requireSigned }: { readonly requireSigned: boolean },
): Promise<readonly RunDifference[]> {
  const found = await Promise.all(
    (run.unaudited ?? []).map(async (record) => [
      ...identityDifferences(run, record),
      ...(await stateDifferences(run, record)),
      ...(await copyDifferences(run, record)),
      ...(requireSigned && isTerminalStatus(record.status) ? [unsealed(run, record)] : []),
    ]),
  );
  return found.flat();
}

function identityDifferences(run: StoredRun, record: UnauditedRecord): readonly RunDifference[] {
  const { manifest } = run;
  const file = fileOf(run, record);
  const isKnown = manifest.participants.some(({ workerId }) => workerId === record.workerId);
  const wrong = [
    record.runId === manifest.runId ? [] : [`is of run ${record.runId}`],
    isKnown ? [] : [`names worker ${record.workerId}, whom the manifest doesn't`],
  ].flat();
  return wrong.map((message) => ({ code: RunDifferenceCode.identityDiffers, file, message }));
}

/** A record is settled from its sidecar, and neither changes afterwards. */
async function stateDifferences(run: StoredRun, record: UnauditedRecord): Promise<readonly RunDifference[]> {
  if (!isTerminalStatus(record.status)) return [];
  const code = RunDifferenceCode.stateDiffers;
  const file = fileOf(run, record);
  try {
    const sidecar = await readDocument(record.statusSidecarPath, statusSidecarCodec, { keepDamaged: false });
    const message = disagreement(record, sidecar);
    return message === undefined ? [] : [{ code, file, message }];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ code, file, message: `its sidecar ${basename(record.statusSidecarPath)} can't be read: ${why}` }];
  }
}

function disagreement({ lifecycle }: UnauditedRecord, sidecar: StatusSidecar | undefined): string | undefined {
  const isEnded = sidecar !== undefined && isTerminalStage(sidecar.stage);
  const [end, exitCode] = isEnded ? [sidecar.stage, sidecar.exitCode] : ['lost', sidecar?.exitCode ?? null];
  if (lifecycle?.end === end && lifecycle.exitCode === exitCode) return undefined;
  const words = (how: string | undefined, code: number | null | undefined) =>
    `"${how ?? '?'}", exit code ${code ?? '-'}`;
  return `says that it ended as ${words(lifecycle?.end, lifecycle?.exitCode)}; its sidecar says ${words(end, exitCode)}`;
}

async function copyDifferences({ layout }: StoredRun, { result }: UnauditedRecord): Promise<readonly RunDifference[]> {
  const found = await Promise.all(
    (result?.artifacts ?? []).map(async ({ copy, digest }): Promise<readonly RunDifference[]> => {
      const now = await digestOfFile(join(layout.runDirectory, copy)).catch(() => undefined);
      if (now === digest) return [];
      const message = now === undefined ? 'is gone or can’t be read' : 'has another digest than was stored';
      const code = RunDifferenceCode.artifactDiffers;
      return [{ code, file: copy, message, expected: digest, ...(now === undefined ? {} : { found: now }) }];
    }),
  );
  return found.flat();
}

function unsealed(run: StoredRun, record: UnauditedRecord): RunDifference {
  const message = 'is of a v1 job: nobody audited what it changed, and nothing of it is sealed';
  return { code: SealDifferenceCode.attemptUnsealed, file: fileOf(run, record), message };
}

function fileOf({ layout }: StoredRun, { dispatchId }: UnauditedRecord): string {
  return relative(layout.runDirectory, unauditedPathOf(layout, dispatchId));
}
