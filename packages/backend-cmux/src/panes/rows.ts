import { z } from 'zod';
import { CmuxError } from '../errors.ts';

/** A surface as the app lists it. */
export interface SurfaceRow {
  readonly id: string;
  readonly title: string;
  readonly paneId: string | null;
  /** The folder that it was asked to start in; undefined where this version doesn't say. */
  readonly directory: string | null | undefined;
}

const Surfaces = z.looseObject({
  surfaces: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string().nullish().catch(''),
      pane_id: z.string().nullish().catch(null),
      requested_working_directory: z.string().nullish(),
    }),
  ),
});
const Windows = z.looseObject({ windows: z.array(z.looseObject({ id: z.string() })) });
const Workspaces = z.looseObject({
  workspaces: z.array(z.looseObject({ id: z.string(), current_directory: z.string().nullish().catch(null) })),
});
const Created = z.looseObject({ workspace_id: z.string(), surface_id: z.string() });

export function surfaceRows(result: unknown): readonly SurfaceRow[] {
  return understood(Surfaces, result, 'surface.list').surfaces.map((row) => ({
    id: row.id,
    title: row.title ?? '',
    paneId: row.pane_id ?? null,
    directory: row.requested_working_directory,
  }));
}

export function windowIds(result: unknown): readonly string[] {
  return understood(Windows, result, 'window.list').windows.map(({ id }) => id);
}

export function workspaceRows(result: unknown): readonly { readonly id: string; readonly directory: string | null }[] {
  return understood(Workspaces, result, 'workspace.list').workspaces.map((row) => ({
    id: row.id,
    directory: row.current_directory ?? null,
  }));
}

/** The ids of what was made. A split in a workspace that mirrors a remote tmux has none: it can't be used. */
export function createdIds(result: unknown): { readonly workspaceId: string; readonly surfaceId: string } {
  const { workspace_id: workspaceId, surface_id: surfaceId } = understood(Created, result, 'what was made');
  return { workspaceId, surfaceId };
}

function understood<T>(schema: z.ZodType<T>, result: unknown, what: string): T {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new CmuxError('CMUX_NOT_UNDERSTOOD', `the reply about ${what} has another form`);
}
