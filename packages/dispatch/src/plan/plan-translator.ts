import { resolve } from 'node:path';
import type { BackendKind } from '@bailiwick/dispatch-state';
import { encodeFileName, listFolder } from '@bailiwick/durable-files';
import { checkReservation, readReservations, selectReservation } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { buildPlan } from './build-plan.ts';
import { canonicalTranslator } from './canonical-translator.ts';
import type { DispatchPlan } from './job.ts';
import { readMetadata } from './read-job.ts';

/**
 * The plan of `--workers translator`: the canonical role execution and the one reservation that qualifies for it (TR-1…4). The
 * reservation is consumed by the claim of its dispatch id, so that two dispatchers can't both have it. Leaves the roster alone.
 */
export async function planTranslator(context: DispatchContext, backend: BackendKind): Promise<DispatchPlan> {
  const { manifest } = context;
  const { participantRef, roleExecutionRef } = canonicalTranslator(manifest);
  const dispatched = new Set(await listFolder(context.layout.dispatchesFolder));
  const { reservation } = selectReservation(
    await readReservations(manifest.agentContract.invocationReservationRootPath),
    {
      participantRef,
      roleExecutionRef,
      isDispatched: (id) => dispatched.has(`${encodeFileName(id)}.json`),
    },
  );
  const promptPath = resolve(manifest.projectRoot, reservation.promptPath);
  const { metadata } = await readMetadata(promptPath);
  checkReservation(reservation, metadata);
  return buildPlan({ manifest, requests: [{ promptPath, backend }], backends: context.backends });
}
