import type { CmuxClient, CmuxParams } from '../client/cmux-client.ts';
import { CmuxError } from '../errors.ts';
import { createdIds, surfaceRows, windowIds, workspaceRows } from './rows.ts';

/** Where something was opened. */
export interface OpenedSurface {
  readonly workspaceId: string;
  readonly surfaceId: string;
}

export interface SplitRequest {
  readonly workspaceId: string;
  /** The surface to split. */
  readonly besideId: string;
  readonly direction: 'right' | 'down';
  /** A folder of this surface's own: by it the surface is found again after a lost reply. */
  readonly marker: string;
}

/**
 * Splits a pane without taking the focus; where there is no room, opens a tab instead. After a lost reply the surface is looked
 * for by its marker; it is asked for again only where the connection has ended without it (C2). Throws CmuxError.
 */
export async function openSurface(client: CmuxClient, request: SplitRequest): Promise<OpenedSurface> {
  const { workspaceId: workspace_id, besideId, direction, marker: working_directory } = request;
  const split = { workspace_id, surface_id: besideId, direction, working_directory };
  const find = (): Promise<OpenedSurface | undefined> => findByMarker(client, request);
  try {
    return await makeOnce(client, { method: 'surface.split', params: split }, find);
  } catch (error) {
    if (!(error instanceof CmuxError) || error.rpcCode !== 'internal_error') throw error;
    const paneId = await paneOf(client, request);
    const tab = { workspace_id, ...(paneId === null ? {} : { pane_id: paneId }), working_directory };
    return makeOnce(client, { method: 'surface.create', params: tab }, find);
  }
}

export interface WorkspaceRequest {
  readonly title: string;
  readonly marker: string;
  /** A UUID: the app makes one workspace for it, however often it is asked. */
  readonly operationId: string;
}

/** A workspace of our own, in the background of the first window. Throws CmuxError. */
export async function openWorkspace(client: CmuxClient, request: WorkspaceRequest): Promise<OpenedSurface> {
  const { title, marker, operationId: operation_id } = request;
  const [window_id] = windowIds(await client.call('window.list'));
  if (window_id === undefined)
    throw new CmuxError('CMUX_REFUSED', 'cmux has no window open', { rpcCode: 'unavailable' });
  const params = { window_id, title, cwd: marker, operation_id };
  return makeOnce(client, { method: 'workspace.create', params }, () => findWorkspace(client, marker));
}

/** The workspace that was asked to start in the marker's folder, in any window, with its first surface. */
export async function findWorkspace(client: CmuxClient, marker: string): Promise<OpenedSurface | undefined> {
  for (const window_id of windowIds(await client.call('window.list'))) {
    const rows = workspaceRows(await client.call('workspace.list', { window_id }));
    const workspaceId = rows.find(({ directory }) => directory === marker)?.id;
    if (workspaceId === undefined) continue;
    const [surface] = surfaceRows(await client.call('surface.list', { workspace_id: workspaceId }));
    return surface === undefined ? undefined : { workspaceId, surfaceId: surface.id };
  }
  return undefined;
}

/** A request that makes something, and how to see whether it has, where its reply was lost. */
async function makeOnce(
  client: CmuxClient,
  request: { readonly method: string; readonly params: CmuxParams },
  find: () => Promise<OpenedSurface | undefined>,
): Promise<OpenedSurface> {
  for (let tries = 1; ; tries += 1) {
    try {
      return createdIds(await client.call(request.method, request.params));
    } catch (error) {
      if (!isLost(error)) throw error;
      const found = await find();
      if (found !== undefined) return found;
      // A request that was never answered may still be done; one whose connection has ended won't be.
      if (error.code !== 'CMUX_REPLY_LOST' || tries === MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 5;

function isLost(error: unknown): error is CmuxError {
  return error instanceof CmuxError && (error.code === 'CMUX_REPLY_LOST' || error.code === 'CMUX_UNRESPONSIVE');
}

/** The surface that was asked to start in the marker's folder; what this version doesn't say of surfaces can't be told apart. */
export async function findByMarker(
  client: CmuxClient,
  { workspaceId, marker }: Pick<SplitRequest, 'workspaceId' | 'marker'>,
): Promise<OpenedSurface | undefined> {
  const rows = surfaceRows(await client.call('surface.list', { workspace_id: workspaceId }));
  const surface = rows.find(({ directory }) => directory === marker);
  if (surface !== undefined) return { workspaceId, surfaceId: surface.id };
  if (rows.every(({ directory }) => directory === undefined))
    throw new CmuxError(
      'CMUX_REPLY_LOST',
      "this cmux doesn't say which pane is which: one that was asked for may be left over",
    );
  return undefined;
}

async function paneOf(client: CmuxClient, { workspaceId, besideId }: SplitRequest): Promise<string | null> {
  const rows = surfaceRows(await client.call('surface.list', { workspace_id: workspaceId }));
  return rows.find(({ id }) => id === besideId)?.paneId ?? null;
}
