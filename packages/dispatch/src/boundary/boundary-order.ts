import { dirname, join } from 'node:path';
import { findProvider } from '@bailiwick/agent-providers';
import type { BoundaryOrder, DispatchRecord } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import { removePrivatePlaces } from '@bailiwick/process-supervision';
import type { DispatchContext } from '../context.ts';
import { aliveAttempts } from '../contract/other-attempts.ts';
import { storedContract } from '../contract/stored-contract.ts';
import { DispatchError } from '../errors.ts';
import { boundaryPathsOf } from './boundary-paths.ts';

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
  socketPath: string | null,
): Promise<LaunchedBoundary | undefined> {
  if (record.writeEnforcement.boundary !== 'bubblewrap') return undefined;
  const { boundary: setting } = context;
  const test = (await setting?.test()) ?? ({ kind: 'unavailable', reason: 'boundaries are switched off' } as const);
  if (setting === undefined || test.kind === 'unavailable')
    throw unavailable(record, test.kind === 'unavailable' ? test.reason : 'boundaries are switched off');
  const provider = findProvider(record.provider);
  const { policy } = await storedContract(context, record.invocationRef);
  const alive = await aliveAttempts(context);
  const others = alive
    .filter(({ dispatchId }) => dispatchId !== record.dispatchId)
    .map(({ contract }) => contract.policy);
  const paths = await boundaryPathsOf(context, setting, { policy, others, provider, dropBoxPath: record.dropBoxPath });
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
    },
  };
}

/** Takes away what a supervisor that died has left of an attempt in a boundary; the attempt's processes are gone. */
export async function removePrivateFolder({ boundary }: DispatchContext, record: DispatchRecord): Promise<void> {
  if (boundary === undefined || record.writeEnforcement.boundary !== 'bubblewrap') return;
  await removePrivatePlaces({ privateFolder: privateFolderOf(boundary.attemptsFolder, record) });
}

/** Short, since programs make sockets below their temporary folder, and a socket's path has 107 bytes. */
function privateFolderOf(attemptsFolder: string, { runId, dispatchId }: DispatchRecord): string {
  const digest = digestOfBytes(`${runId}\0${dispatchId}`);
  return join(attemptsFolder, digest.slice(digest.indexOf(':') + 1).slice(0, 16));
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
