/**
 * The requests that change nothing, or the same again when they are repeated: after a lost reply they are sent once more.
 * Everything else is not: whoever sent it has to look up what came of it.
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  'system.ping',
  'system.capabilities',
  'system.identify',
  'system.tree',
  'window.list',
  'window.current',
  'workspace.list',
  'workspace.current',
  'surface.list',
  'surface.current',
  'surface.health',
  'surface.read_text',
  'pane.list',
  'pane.surfaces',
  'notification.list',
  // Names are set, not added to.
  'workspace.rename',
  'tab.action',
]);

export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}

/** Requests that could take the focus: each is sent with `focus: false`, whatever the version's own default. */
const FOCUSING: ReadonlySet<string> = new Set([
  'workspace.create',
  'surface.split',
  'surface.create',
  'pane.create',
  'tab.action',
]);

/** Requests that this client never makes: they take the focus, or act on a whole window (CX-6). */
const FORBIDDEN =
  /^(?:window\.(?:create|close|focus)|workspace\.(?:select|next|previous|last)|(?:surface|pane)\.focus|pane\.last)$/;

/** The params as they are sent. Throws TypeError for a request that would take the focus. */
export function withoutFocus(
  method: string,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (FORBIDDEN.test(method) || params['focus'] === true) throw new TypeError(`${method} would take the focus`);
  return FOCUSING.has(method) ? { ...params, focus: false } : params;
}
