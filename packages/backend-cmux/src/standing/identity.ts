import { z } from 'zod';
import { CmuxError } from '../errors.ts';

/** Where a terminal is, by the app's own ids. */
export interface Caller {
  readonly windowId: string;
  readonly workspaceId: string;
  readonly surfaceId: string;
}

const Where = z.looseObject({ window_id: z.string(), workspace_id: z.string(), surface_id: z.string() });
const Identity = z.looseObject({
  app_cli_path: z.string().catch(''),
  caller: Where.nullish().catch(null),
});

/** What `system.identify` says of the one who asks. Throws CmuxError CMUX_NOT_UNDERSTOOD. */
export function readIdentity(result: unknown): { readonly caller: Caller | null; readonly cliPath: string } {
  const parsed = Identity.safeParse(result);
  if (!parsed.success) throw new CmuxError('CMUX_NOT_UNDERSTOOD', 'the reply to system.identify has another form');
  const { caller, app_cli_path: cliPath } = parsed.data;
  if (caller === null || caller === undefined) return { caller: null, cliPath };
  return {
    caller: { windowId: caller.window_id, workspaceId: caller.workspace_id, surfaceId: caller.surface_id },
    cliPath,
  };
}
