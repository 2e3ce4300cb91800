import { createSealer, createUnsignedSealer, type Sealer } from '@bailiwick/attempt-evidence';
import type { DispatchContext } from '@bailiwick/dispatch';
import { type RunManifest, workTreeOf } from '@bailiwick/dispatch-state';

/** Says in each unsigned seal why it proves nothing against the worker that it is about. */
export const UNSIGNED_REASON = 'the worker ran as this user with nothing to keep it from the sealing key';

/**
 * What seals the attempts of a run: signed where the worker could not have had the key, else unsigned and saying so. The key pair is
 * loaded, or made, for the first attempt that is signed.
 */
export function sealerFor(manifest: RunManifest, keyFolder: string): DispatchContext['sealer'] {
  const workerRoots = [manifest.projectRoot, workTreeOf(manifest)];
  const unsigned = createUnsignedSealer({ reason: UNSIGNED_REASON });
  let signing: Promise<Sealer> | undefined;
  return async ({ writeEnforcement }) => {
    if (writeEnforcement.keyIsolation === 'none') return unsigned;
    signing ??= createSealer({ keyFolder, workerRoots });
    return signing;
  };
}
