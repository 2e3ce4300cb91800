import { randomUUID } from 'node:crypto';
import type { CmuxApp } from '../app.ts';
import type { Place } from '../model.ts';
import { type Params, textOf } from '../params.ts';
import { findPlace, surfaceOf } from '../routing.ts';
import { idsOf } from '../rows.ts';
import type { Methods } from './method.ts';

export const notificationMethods: Methods = {
  'notification.create': (app, params) => note(app, params, surfaceOf(app, params)),
  'notification.create_for_surface': (app, params) => note(app, params, surfaceOf(app, params)),
  'notification.create_for_target': (app, params) => note(app, params, surfaceOf(app, params)),
  'notification.create_for_caller': (app, params) => {
    const preferred = findPlace(app, textOf(params, 'preferred_surface_id'));
    return note(app, params, preferred ?? surfaceOf(app, {}));
  },
  'notification.list': (app) => ({ notifications: app.notifications }),
  'notification.clear': (app) => {
    app.notifications.length = 0;
    return {};
  },
};

export function note(app: CmuxApp, params: Params, { workspace, surface }: Place): unknown {
  app.notifications.push({
    id: randomUUID().toUpperCase(),
    workspace_id: workspace.id,
    surface_id: surface.id,
    title: textOf(params, 'title') ?? 'Notification',
    subtitle: textOf(params, 'subtitle') ?? '',
    body: textOf(params, 'body') ?? '',
    created_at: new Date().toISOString(),
    tab_title: surface.title,
    is_read: false,
  });
  return idsOf({ workspace, surface });
}
