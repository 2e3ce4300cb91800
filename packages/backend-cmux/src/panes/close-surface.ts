import type { CmuxClient } from '../client/cmux-client.ts';
import { CmuxError } from '../errors.ts';
import { findByMarker, findWorkspace, type OpenedSurface } from './open-surface.ts';
import type { PaneDocument } from './pane-document.ts';
import { surfaceRows, windowIds, workspaceRows } from './rows.ts';

/** What became of a pane: closed by us, gone already, or left to the person who made it theirs. */
export type PaneEnd = 'closed' | 'vanished' | 'left';

/**
 * Closes a pane that a document says is ours, if it is still there under the title it was given: by id and title, never anything
 * else (CX-2). A workspace goes with its last pane only where it was made for the workers. Throws CmuxError where the app can't
 * be asked.
 */
export async function closeSurface(client: CmuxClient, pane: PaneDocument): Promise<PaneEnd> {
  const found = await standingOf(client, pane);
  if (found.kind !== 'ours') return found.kind;
  const { workspaceId, surfaceId } = found.surface;
  try {
    await client.call('surface.close', { workspace_id: workspaceId, surface_id: surfaceId });
  } catch (error) {
    if (!(error instanceof CmuxError)) throw error;
    if (error.rpcCode === 'not_found') return 'vanished';
    if (error.rpcCode === 'invalid_state') return pane.isOwnWorkspace ? closeWorkspace(client, workspaceId) : 'left';
    if (error.code !== 'CMUX_REPLY_LOST') throw error;
    // It was done or it wasn't: looked up and asked for again, an id that is gone closes nothing else.
    return closeSurface(client, pane);
  }
  return 'closed';
}

/** Whether the pane is there and ours. One that was still being opened has no title yet; without an id its folder tells. */
export async function standingOf(client: CmuxClient, pane: PaneDocument): Promise<PaneStanding> {
  try {
    const { workspaceId, surfaceId, marker } = pane;
    if (workspaceId === null || surfaceId === null) {
      const found =
        workspaceId === null ? findWorkspace(client, marker) : findByMarker(client, { workspaceId, marker });
      const surface = await found;
      return surface === undefined ? { kind: 'vanished' } : { kind: 'ours', surface };
    }
    const rows = surfaceRows(await client.call('surface.list', { workspace_id: workspaceId }));
    const row = rows.find(({ id }) => id === surfaceId);
    if (row === undefined) return { kind: 'vanished' };
    return pane.state === 'opening' || row.title === pane.title
      ? { kind: 'ours', surface: { workspaceId, surfaceId } }
      : { kind: 'left' };
  } catch (error) {
    if (error instanceof CmuxError && (error.rpcCode === 'not_found' || error.rpcCode === 'unavailable'))
      return { kind: 'vanished' };
    throw error;
  }
}

export type PaneStanding =
  | { readonly kind: 'ours'; readonly surface: OpenedSurface }
  | { readonly kind: 'vanished' | 'left' };

/**
 * Closes a workspace of ours. The last one of its window is left: closing it would do nothing (to 0.64.17) or take the window
 * along, and an empty one in its place would be no better.
 */
async function closeWorkspace(client: CmuxClient, workspaceId: string): Promise<PaneEnd> {
  for (const window_id of windowIds(await client.call('window.list'))) {
    const rows = workspaceRows(await client.call('workspace.list', { window_id }));
    if (!rows.some(({ id }) => id === workspaceId)) continue;
    if (rows.length === 1) return 'left';
    await client.call('workspace.close', { workspace_id: workspaceId });
    return 'closed';
  }
  return 'vanished';
}
