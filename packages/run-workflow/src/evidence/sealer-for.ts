import { createSealer, createUnsignedSealer, type Sealer } from '@bailiwick/attempt-evidence';
import type { DispatchContext } from '@bailiwick/dispatch';
import { type DispatchRecord, type RunManifest, workTreeOf } from '@bailiwick/dispatch-state';

/** Says in each unsigned seal why it proves nothing against the worker that it is about. */
const UNSIGNED_REASON = 'the worker ran as this user with nothing to keep it from the sealing key';

/**
 * What seals the attempts of a run: signed where the worker could not have had the key, else unsigned and saying so. The key pair is
 * loaded, or made, for the first attempt that is signed.
 */
export function sealerFor(manifest: RunManifest, keyFolder: string): DispatchContext['sealer'] {
  const workerRoots = [manifest.projectRoot, workTreeOf(manifest)];
  const unsigned = createUnsignedSealer({ reason: UNSIGNED_REASON });
  let signing: Promise<Sealer> | undefined;
  return async ({ writeEnforcement }) => {
    if (!isKeptFromKey(writeEnforcement)) return unsigned;
    signing ??= createSealer({ keyFolder, workerRoots });
    return signing;
  };
}

/**
 * Whether a worker was kept from the sealing key: bubblewrap lays an empty folder over it. What `keyIsolation` says is about keys of
 * model servers, which a gateway keeps from agents that nothing confines, too.
 */
export function isKeptFromKey({ boundary }: DispatchRecord['writeEnforcement']): boolean {
  return boundary === 'bubblewrap';
}
