import type { CmuxClient } from '../client/cmux-client.ts';
import { CmuxError, messageOf } from '../errors.ts';
import type { OpenedSurface } from './open-surface.ts';
import type { PaneLink } from './pane-link.ts';

/** How long a shell may take before it runs what was typed, by try: a profile can be slow, a machine busy. */
const PATIENCE_MS = [12_000, 8_000, 20_000] as const;

/**
 * Types a line into a pane and presses Enter, until the program that it starts has connected. A person may type into the same
 * line, a slow shell may eat its beginning, a reply may be lost: each further try clears the line first. Undefined where the
 * program has come; else why it hasn't.
 */
export async function summonProgram(
  client: CmuxClient,
  surface: OpenedSurface,
  o: { readonly line: string; readonly link: PaneLink; readonly patienceMs?: readonly number[] },
): Promise<string | undefined> {
  const ids = { workspace_id: surface.workspaceId, surface_id: surface.surfaceId };
  let why = 'its terminal never ran what was typed';
  for (const [index, patienceMs] of (o.patienceMs ?? PATIENCE_MS).entries()) {
    if (index > 0) await press(client, ids, 'ctrl-c');
    const typed = await type(client, ids, o.line);
    if (await o.link.arrived(typed.kind === 'lost' ? LOST_MS : patienceMs)) return undefined;
    if (typed.kind === 'failed') return typed.reason;
    if (typed.isQueued) why = 'its terminal has not started';
  }
  return why;
}

/** After a lost reply: if it was typed and entered, the program comes soon. */
const LOST_MS = 1_500;

type Ids = { readonly workspace_id: string; readonly surface_id: string };
type Typed =
  | { readonly kind: 'typed' | 'lost'; readonly isQueued: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

async function type(client: CmuxClient, ids: Ids, text: string): Promise<Typed> {
  try {
    const { queued } = await client.call('surface.send_text', { ...ids, text });
    await client.call('surface.send_key', { ...ids, key: 'enter' });
    return { kind: 'typed', isQueued: queued === true };
  } catch (error) {
    if (!(error instanceof CmuxError)) throw error;
    if (error.code === 'CMUX_REPLY_LOST') return { kind: 'lost', isQueued: false };
    // The app says so by the same code for a surface that has gone and for one that is none.
    const isGone =
      error.rpcCode === 'not_found' || error.rpcCode === 'process_exited' || error.data?.['surface_id'] !== undefined;
    return { kind: 'failed', reason: isGone ? 'its pane was closed before it had started' : messageOf(error) };
  }
}

async function press(client: CmuxClient, ids: Ids, key: string): Promise<void> {
  // What can't be pressed shows when the next line is typed.
  await client.call('surface.send_key', { ...ids, key }).catch(() => undefined);
}
