import { dirname } from 'node:path';
import { findProvider } from '@bailiwick/agent-providers';
import type { BoundaryOrder, DispatchRecord, LayerOrder } from '@bailiwick/dispatch-state';
import { removeNamespaceNote, removePrivatePlaces } from '@bailiwick/process-supervision';
import type { WritePolicy } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import type { AliveAttempt } from '../contract/other-attempts.ts';
import { storedContract } from '../contract/stored-contract.ts';
import { DispatchError } from '../errors.ts';
import { boundaryPathsOf } from './boundary-paths.ts';
import { layerFolderOfAttempt, privateFolderOf } from './layer-places.ts';
import type { BoundarySetting } from './setting.ts';
import { makeThrowAwayCopy } from './throw-away-copy.ts';

/** A boundary as its supervisor is to put it in force, and whether an agent's own sandbox works inside. */
export interface LaunchedBoundary {
  readonly order: BoundaryOrder;
  readonly nests: boolean;
}

/**
 * The boundary that an attempt's stored contract says is in force, or undefined where it says that none is. It is tried
 * anew in each process that launches: an attempt whose boundary can't be had is not started (WP-5). Throws DispatchError
 * BOUNDARY_UNAVAILABLE.
 */
export async function boundaryOrderOf(
  context: DispatchContext,
  record: DispatchRecord,
  { socketPath, alive }: { readonly socketPath: string | null; readonly alive: readonly AliveAttempt[] },
): Promise<LaunchedBoundary | undefined> {
  if (record.writeEnforcement.boundary !== 'bubblewrap') return undefined;
  const { boundary: setting } = context;
  const test = (await setting?.test()) ?? ({ kind: 'unavailable', reason: 'boundaries are switched off' } as const);
  if (setting === undefined || test.kind === 'unavailable')
    throw unavailable(record, test.kind === 'unavailable' ? test.reason : 'boundaries are switched off');
  const provider = findProvider(record.provider);
  const { policy } = await storedContract(context, record.invocationRef);
  const others = alive
    .filter(({ dispatchId }) => dispatchId !== record.dispatchId)
    .map(({ contract }) => contract.policy);
  const layer = await layerOf(context, record, { setting, policy, program: test.program });
  const question = { policy, others, provider, dropBoxPath: record.dropBoxPath };
  const paths = await boundaryPathsOf(context, setting, layer === undefined ? question : { ...question, layer });
  if (paths.refusal !== null) throw unavailable(record, paths.refusal);
  return {
    nests: test.nests,
    order: {
      program: test.program,
      writable: paths.writable,
      readOnly: paths.readOnly,
      hidden: [...setting.hidden, ...(socketPath === null ? [] : [dirname(socketPath)])],
      privateFolder: privateFolderOf(setting.attemptsFolder, record),
      privateHome: provider.home.privateHome ? { userHome: setting.userHome, logins: paths.logins } : null,
      ...(layer === undefined ? {} : { layer: layer.order }),
    },
  };
}

/** The layer that the contract says lies over the work tree; a copy is made here, since its tree must not change after. */
async function layerOf(
  context: DispatchContext,
  record: DispatchRecord,
  o: { readonly setting: BoundarySetting; readonly policy: WritePolicy; readonly program: string },
): Promise<{ readonly order: LayerOrder; readonly ignoredFolders: readonly string[] } | undefined> {
  const { setting, policy, program } = o;
  const { worktree } = policy;
  const folder = layerFolderOfAttempt(setting.attemptsFolder, record);
  if (record.writeEnforcement.layer === undefined) return undefined;
  if (record.writeEnforcement.layer === 'copy') {
    const ignoredFolders = await makeThrowAwayCopy(context, policy, folder).catch((error: unknown) => {
      throw unavailable(record, error instanceof Error ? error.message : String(error));
    });
    return { order: { worktree, folder, means: { kind: 'copy' } }, ignoredFolders };
  }
  const test = await setting.testLayer({ program, worktree });
  if (test.kind === 'unavailable') throw unavailable(record, test.reason);
  return { order: { worktree, folder, means: test.means }, ignoredFolders: [] };
}

/** Takes away what a supervisor that died has left of an attempt in a boundary; the attempt's processes are gone. */
export async function removePrivateFolder({ boundary }: DispatchContext, record: DispatchRecord): Promise<void> {
  if (boundary === undefined || record.writeEnforcement.boundary !== 'bubblewrap') return;
  await removeNamespaceNote(record.statusSidecarPath);
  await removePrivatePlaces({ privateFolder: privateFolderOf(boundary.attemptsFolder, record) });
}

function unavailable(record: DispatchRecord, reason: string): DispatchError {
  return new DispatchError(
    'BOUNDARY_UNAVAILABLE',
    `${record.executionLabel} was to be confined by bubblewrap, and can't be any more: ${reason}`,
    {
      names: [record.executionLabel],
      hint: '`bailiwick doctor` says what this machine can; dispatch again under a new invocation',
    },
  );
}
