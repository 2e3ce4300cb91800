import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { bytesOfKey } from '../keys.ts';
import { focusedSurfaceOf, type Place } from '../model.ts';
import { findPlace, placeOf } from '../routing.ts';
import { tokenize } from './tokenize.ts';
import { listVerbs, sidebarVerbs } from './verbs.ts';

const HELP =
  'Available commands: ping, auth, help, list_windows, list_workspaces, list_surfaces, new_workspace, new_split, close_surface, send, send_key, send_surface, send_key_surface, read_screen, set_status, clear_status, list_status, set_progress, clear_progress, log, list_log, clear_log, sidebar_state';

/** Answers one line of the older half of the protocol; free text, without an end of its own. */
export function answerV1(app: CmuxApp, line: string): string {
  const [, name = '', rest = ''] = /^\s*(\S+)\s?(.*)$/s.exec(line) ?? [];
  const command = name.toLowerCase();
  try {
    return answer(app, command, rest);
  } catch (error) {
    if (error instanceof RpcFailure) return `ERROR: ${error.message}`;
    throw error;
  }
}

function answer(app: CmuxApp, command: string, rest: string): string {
  const sidebar = sidebarVerbs[command];
  if (sidebar !== undefined) return sidebar(app, tokenize(rest));
  const words = rest.trim() === '' ? [] : rest.trim().split(/\s+/);
  const list = listVerbs[command];
  if (list !== undefined) return list(app, words);
  if (command === 'ping') return 'PONG';
  if (command === 'help') return HELP;
  return act(app, command, { words, rest });
}

function act(
  app: CmuxApp,
  command: string,
  { words, rest }: { readonly words: readonly string[]; readonly rest: string },
): string {
  switch (command) {
    case 'new_workspace':
      return `OK ${app.createWorkspace(app.active, { by: 'client', title: rest.trim() === '' ? null : rest.trim() }).id}`;
    case 'new_split':
      return `OK ${app.split(meant(app, words[1]), { by: 'client' }).surface.id}`;
    case 'close_surface':
      app.closeSurface(meant(app, words[0]));
      return 'OK';
    case 'send':
      return typed(app, meant(app, undefined), rest);
    case 'send_surface':
      return typed(app, meant(app, words[0]), words.slice(1).join(' '));
    case 'send_key':
      return typed(app, meant(app, undefined), bytesOfKey(words[0] ?? ''));
    case 'send_key_surface':
      return typed(app, meant(app, words[0]), bytesOfKey(words[1] ?? ''));
    case 'read_screen':
      return app.terminals
        .screenOf(
          meant(
            app,
            words.find((word) => !word.startsWith('--')),
          ).surface,
        )
        .read();
    default:
      return `ERROR: Unknown command '${command}'. Use 'help' for available commands.`;
  }
}

function meant(app: CmuxApp, handle: string | undefined): Place {
  if (handle === undefined) return placeOf(app, focusedSurfaceOf(app.active.selected));
  const byIndex = /^\d+$/.test(handle)
    ? app.places().filter(({ workspace }) => workspace === app.active.selected)[Number(handle)]
    : undefined;
  const place = byIndex ?? findPlace(app, handle);
  if (place === undefined) throw new RpcFailure('not_found', 'Surface not found');
  return place;
}

function typed(app: CmuxApp, place: Place, text: string | undefined): string {
  if (text === undefined) return 'ERROR: Unknown key';
  app.terminals.write(place.surface, text.replaceAll('\\n', '\r').replaceAll('\\r', '\r').replaceAll('\\t', '\t'));
  return 'OK';
}
