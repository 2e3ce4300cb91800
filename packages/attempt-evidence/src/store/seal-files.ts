import { join } from 'node:path';
import { type Digest, encodeFileName } from '@bailiwick/durable-files';

/** The folder of a run's seals, relative to the run's folder like every name here. */
export const SEALS_FOLDER = 'seals';

/** A copy of the last seal of the chain, written before the seal itself. */
export const HEAD_FILE = `${SEALS_FOLDER}/head.json`;

/** The texts of seals that are appended together; there from before the first of them until the last is in its place. */
export const PENDING_FILE = `${SEALS_FOLDER}/pending.json`;

/** The file of a seal. Key: `sealKeyOf(invocationRef, attempt)`; none is encoded to one of those names, since each holds `%3aseal-` or a hash. */
export function sealFileOf(sealKey: string): string {
  return `${SEALS_FOLDER}/${encodeFileName(sealKey)}.json`;
}

/** Where a seal is kept that a later one of the same attempt superseded. */
export function supersededFileOf(sealKey: string, digest: Digest): string {
  return `${SEALS_FOLDER}/${encodeFileName(sealKey)}.superseded-${digest.slice('sha256:'.length, 'sha256:'.length + 16)}.json`;
}

/** The kernel lock under which a run's chain grows; like every lock file it is opened by nothing else. */
export function chainLockPathOf(runDirectory: string): string {
  return join(runDirectory, 'locks', 'seals.lock');
}
