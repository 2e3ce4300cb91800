import { findProvider } from '@bailiwick/agent-providers';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { isFolder } from '@bailiwick/durable-files';
import { gitCommitPlaces } from '@bailiwick/write-policy';
import type { LaunchedBoundary } from '../boundary/boundary-order.ts';
import { gitOf } from '../boundary/boundary-paths.ts';
import type { DispatchContext } from '../context.ts';
import { storedContract } from '../contract/stored-contract.ts';

/**
 * What an agent's own sandbox is asked for: on or off where its contract or the boundary around it decides, absent where
 * its provider does. One that can't start inside a boundary would have every command fail; the boundary holds it anyway.
 */
export function ownSandboxOf(
  { provider, writeEnforcement }: DispatchRecord,
  boundary: LaunchedBoundary | undefined,
): { readonly ownSandbox?: boolean } {
  if (writeEnforcement.boundary === 'provider') return { ownSandbox: true };
  const { ownSandbox, ownSandboxByDefault } = findProvider(provider).writeCapability;
  return boundary?.nests === false && ownSandbox && ownSandboxByDefault ? { ownSandbox: false } : {};
}

/**
 * The folders outside of its worktree that an agent is told it may write: its drop box, and where its own sandbox is in
 * force what its policy needs besides, since that sandbox too must never be narrower than the audit.
 */
export async function writeRootsOfAgent(
  context: DispatchContext,
  record: DispatchRecord,
  boundary: LaunchedBoundary | undefined,
): Promise<readonly string[]> {
  if (!isInForce(record, boundary)) return [record.dropBoxPath];
  const { policy } = await storedContract(context, record.invocationRef);
  const git = await gitOf(context, policy);
  const needed = [...policy.auxiliaryRoots, ...(git === undefined ? [] : gitCommitPlaces(git).writable)];
  const there = await Promise.all(needed.map(async (path) => ((await isFolder(path)) ? [path] : [])));
  return [record.dropBoxPath, ...there.flat()];
}

function isInForce(record: DispatchRecord, boundary: LaunchedBoundary | undefined): boolean {
  const { ownSandbox, ownSandboxByDefault } = findProvider(record.provider).writeCapability;
  return ownSandboxOf(record, boundary).ownSandbox ?? (ownSandbox && ownSandboxByDefault);
}
