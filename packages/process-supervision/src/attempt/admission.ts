import { lstat } from 'node:fs/promises';
import { requireClaim, type SupervisedJob, statusSidecarCodec, stopIntentCodec } from '@bailiwick/dispatch-state';
import { readDocument } from '@bailiwick/durable-files';
import { messageOf } from '../errors.ts';

/**
 * Whether a job may start now. `stopped`: its worker isn't to run any more, and the supervisor says so in a sidecar.
 * `refused`: the attempt isn't this supervisor's to run, and nothing of it is touched.
 */
export type Admission =
  | { readonly kind: 'start' }
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads the record anew, then the sidecar, then the stop intent. */
export async function admitJob(job: SupervisedJob): Promise<Admission> {
  try {
    const record = await requireClaim(job.recordPath);
    if (record.dispatchId !== job.dispatchId)
      return refused(`the record at ${job.recordPath} is of ${record.dispatchId}`);
    if (record.status !== 'launching') return refused(`its record says "${record.status}", not "launching"`);
    if ((await readDocument(job.sidecarPath, statusSidecarCodec)) !== undefined)
      return refused('it was started before');
    const by = await stopperOf(job.stopIntentPath);
    return by === undefined ? { kind: 'start' } : { kind: 'stopped', by };
  } catch (error) {
    return refused(messageOf(error));
  }
}

/**
 * Who stopped a worker, or undefined where nobody did. A stop whose words can't be read is a stop; rejects where it can't be seen
 * whether there is one.
 */
export async function stopperOf(stopIntentPath: string): Promise<string | undefined> {
  if (!(await isThere(stopIntentPath))) return undefined;
  try {
    return (await readDocument(stopIntentPath, stopIntentCodec, { keepDamaged: false }))?.by;
  } catch {
    return `an unreadable stop intent at ${stopIntentPath}`;
  }
}

function refused(reason: string): Admission {
  return { kind: 'refused', reason };
}

/** Looked at every second for every attempt: a look at the name costs less than a read of the file. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
