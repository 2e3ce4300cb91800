import type { CmuxApp } from '../app.ts';
import { focusedSurfaceOf } from '../model.ts';
import { findPlace, findWorkspace, placeOf } from '../routing.ts';
import { surfaceRows } from '../rows.ts';
import { note } from '../rpc/notifications.ts';

/** `title|subtitle|body`, `title|body` or `title`, for whoever is in focus or is named before it. */
export const notifyVerbs: Readonly<Record<string, (app: CmuxApp, words: readonly string[], rest: string) => string>> = {
  notify: (app, _, rest) => {
    note(app, payloadOf(rest), placeOf(app, focusedSurfaceOf(app.active.selected)));
    return 'OK';
  },
  notify_surface: (app, [handle = ''], rest) => {
    const byIndex = surfaceRows(app.active.selected)[Number(handle)]?.['id'];
    const place = findPlace(app, typeof byIndex === 'string' ? byIndex : handle);
    if (place === undefined) return 'ERROR: Surface not found';
    note(app, payloadOf(after(rest, 1)), place);
    return 'OK';
  },
  notify_target: (app, [tab, panel], rest) => {
    const found = findWorkspace(app, tab);
    if (found === undefined) return 'ERROR: Tab not found';
    const place = findPlace(app, panel);
    if (place?.workspace !== found.workspace) return 'ERROR: Panel not found';
    note(app, payloadOf(after(rest, 2)), place);
    return 'OK';
  },
  clear_notifications: (app) => {
    app.notifications.length = 0;
    return 'OK';
  },
};

function after(rest: string, words: number): string {
  return rest.trim().split(' ').slice(words).join(' ');
}

function payloadOf(text: string): Readonly<Record<string, string>> {
  const [title = '', second, ...third] = text.split('|').map((part) => part.trim());
  const body = third.length > 0 ? third.join('|') : (second ?? '');
  return { ...(title !== '' && { title }), subtitle: third.length > 0 ? (second ?? '') : '', body };
}
