import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { isUuid } from '../identities.ts';
import { focusedSurfaceOf, type Window, type Workspace } from '../model.ts';
import { directoryOf, flagOf, type Params, textOf, textsOf } from '../params.ts';
import { placeOf, windowOf, workspaceOf } from '../routing.ts';
import { idsOf, workspaceRow } from '../rows.ts';
import { layOut, panesOf } from './layout.ts';
import type { Methods } from './method.ts';

export const workspaceMethods: Methods = {
  'workspace.list': (app, params) => {
    const window = windowOf(app, params);
    return {
      ...idsOf({ window }),
      workspaces: window.workspaces.map((_, index) => workspaceRow(app, window, index)),
    };
  },
  'workspace.current': (app, params) => {
    const { window, workspace } = workspaceOf(app, params);
    return {
      ...idsOf({ window, workspace }),
      workspace: workspaceRow(app, window, window.workspaces.indexOf(workspace)),
    };
  },
  'workspace.create': (app, params) => create(app, params),
  'workspace.rename': (app, params) => {
    const { window, workspace } = namedWorkspace(app, params);
    const title = textOf(params, 'title');
    if (title === undefined) throw new RpcFailure('invalid_params', 'Missing title');
    Object.assign(workspace, { title, hasCustomTitle: true });
    app.feed.emit('workspace.renamed', { workspace_id: workspace.id });
    return { ...idsOf({ window, workspace }), title };
  },
  'workspace.close': (app, params) => {
    const { window, workspace } = namedWorkspace(app, params);
    app.closeWorkspace(window, workspace);
    return idsOf({ window, workspace });
  },
  'workspace.select': (app, params) => {
    const { window, workspace } = namedWorkspace(app, params);
    app.focus(placeOf(app, focusedSurfaceOf(workspace)), 'client');
    return idsOf({ window, workspace });
  },
};

export function namedWorkspace(
  app: CmuxApp,
  params: Params,
): { readonly window: Window; readonly workspace: Workspace } {
  if (textOf(params, 'workspace_id') === undefined)
    throw new RpcFailure('invalid_params', 'Missing or invalid workspace_id');
  return workspaceOf(app, params);
}

function create(app: CmuxApp, params: Params): unknown {
  const operationId = app.version.createNamesSurface ? textOf(params, 'operation_id') : undefined;
  if (operationId !== undefined && !isUuid(operationId))
    throw new RpcFailure('invalid_params', 'operation_id must be a UUID');
  const again = app
    .places()
    .find(({ workspace }) => operationId !== undefined && workspace.operationId === operationId);
  if (again !== undefined) return created(app, again.window, again.workspace);
  if (operationId !== undefined && app.finishedOperations.has(operationId))
    throw new RpcFailure('already_completed', 'Operation already completed', { operation_id: operationId });
  const window = windowOf(app, params);
  const directory = directoryOf(params, app.terminals.home);
  const { layout } = params;
  const panes = layout === undefined ? [] : panesOf(layout, directory ?? app.terminals.home);
  const workspace = app.createWorkspace(window, {
    by: 'client',
    title: textOf(params, 'title') ?? null,
    workspaceEnvironment: textsOf(params, 'workspace_env'),
    operationId: operationId ?? null,
    ...(panes[0]?.[0] ?? firstSurface(app, params, directory)),
  });
  layOut(app, placeOf(app, focusedSurfaceOf(workspace)), panes);
  if (flagOf(params, 'focus') === true) app.focus(placeOf(app, focusedSurfaceOf(workspace)), 'client');
  return created(app, window, workspace);
}

/** What the first surface is made of where there is no layout. */
function firstSurface(app: CmuxApp, params: Params, directory: string | null) {
  const input = app.version.hasInputState ? textOf(params, 'initial_input') : undefined;
  const command = textOf(params, 'initial_command') ?? null;
  return { directory, command, environment: textsOf(params, 'initial_env'), ...(input !== undefined && { input }) };
}

function created(app: CmuxApp, window: Window, workspace: Workspace): unknown {
  const surface = focusedSurfaceOf(workspace);
  return {
    ...idsOf({ window, workspace, ...(app.version.createNamesSurface && { surface }) }),
    ...(app.version.hasGroups && { group_id: null, group_ref: null }),
  };
}
