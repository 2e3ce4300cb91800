import { windowOf } from '../routing.ts';
import { idsOf, windowRow } from '../rows.ts';
import type { Methods } from './method.ts';

export const windowMethods: Methods = {
  'window.list': (app) => ({ windows: app.windows.map((window, index) => windowRow(app, window, index)) }),
  'window.current': (app, params) => idsOf({ window: windowOf(app, params) }),
  'window.create': (app) => {
    const window = app.createWindow();
    app.active = window;
    app.focusChanges.push({ by: 'client', what: window.ref });
    return idsOf({ window });
  },
  // With live terminals it says ok and does nothing, as reported of the app.
  'window.close': (app, params) => idsOf({ window: windowOf(app, params) }),
  'window.focus': (app, params) => {
    const window = windowOf(app, params);
    app.active = window;
    app.focusChanges.push({ by: 'client', what: window.ref });
    return idsOf({ window });
  },
};
