import type { Identities } from './identities.ts';
import { type Actor, emptySidebar, type Pane, type Surface, type Workspace } from './model.ts';

export interface NewSurface {
  readonly by: Actor;
  readonly directory?: string | null;
  readonly command?: string | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface NewWorkspace extends NewSurface {
  readonly title?: string | null;
  readonly operationId?: string | null;
  readonly workspaceEnvironment?: Readonly<Record<string, string>>;
  readonly id?: string;
}

/** With one pane, and one surface in it. */
export function makeWorkspace(
  identities: Identities,
  o: NewWorkspace & { readonly directory: string | null },
): Workspace {
  const pane = makePane(identities, makeSurface(identities, o));
  return {
    kind: 'workspace',
    ...identities.next('workspace', o.id),
    madeBy: o.by,
    operationId: o.operationId ?? null,
    directory: o.directory ?? '/',
    environment: o.workspaceEnvironment ?? {},
    sidebar: emptySidebar(),
    panes: [pane],
    title: o.title ?? 'Workspace',
    hasCustomTitle: typeof o.title === 'string',
    isPinned: false,
    focusedPane: pane,
  };
}

export function makePane(identities: Identities, surface: Surface): Pane {
  return { kind: 'pane', ...identities.next('pane'), surfaces: [surface], selected: surface };
}

/** Without a process: that is started once it is known where the surface is. */
export function makeSurface(identities: Identities, o: NewSurface): Surface {
  return {
    kind: 'surface',
    ...identities.next('surface'),
    madeBy: o.by,
    directory: o.directory ?? null,
    initialCommand: o.command ?? null,
    title: 'Terminal',
    hasCustomTitle: false,
    terminal: undefined,
    pending: '',
    isWrittenTo: false,
    isAdopted: false,
    environment: o.environment ?? {},
  };
}
