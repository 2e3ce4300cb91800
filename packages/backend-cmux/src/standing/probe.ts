import type { CmuxClient, CmuxParams } from '../client/cmux-client.ts';
import { isCmuxError, messageOf } from '../errors.ts';
import type { Caller } from './identity.ts';

/** What the app replied to one request: the form of it, not what it holds. */
export interface ProbedReply {
  readonly method: string;
  /** `ok`, the app's own code, or the client's. */
  readonly outcome: string;
  readonly shape: unknown;
}

/** Requests that change nothing, as the app names things. */
const ANYWHERE = ['system.ping', 'system.capabilities', 'window.list', 'window.current', 'workspace.list'] as const;
const IN_WORKSPACE = ['pane.list', 'surface.list', 'surface.health'] as const;
const SIDEBAR = ['list_status', 'list_log', 'sidebar_state'] as const;

/**
 * Asks the app everything that can be asked without changing anything, and tells the forms of its replies: keys, and kinds of
 * values, sorted, without ids, titles and paths. Two such lists can be compared as texts: the app's with a fake's.
 */
export async function probeCmux(client: CmuxClient, caller: Caller | null): Promise<readonly ProbedReply[]> {
  const place = caller === null ? {} : { workspace_id: caller.workspaceId, surface_id: caller.surfaceId };
  const requests: readonly (readonly [string, CmuxParams])[] = [
    ...ANYWHERE.map((method) => [method, {}] as const),
    ['system.identify', caller === null ? {} : { caller: place }],
    ...(caller === null ? [] : IN_WORKSPACE.map((method) => [method, { workspace_id: caller.workspaceId }] as const)),
  ];
  const replies: ProbedReply[] = [];
  for (const [method, params] of requests) replies.push(await probed(method, () => client.call(method, params)));
  if (caller !== null)
    for (const verb of SIDEBAR) {
      replies.push(await probed(verb, async () => lineShape(await client.say(`${verb} --tab=${caller.workspaceId}`))));
      client.close(); // its reply may have more lines: they would be taken for the next one's
    }
  return replies;
}

/** Kinds of values instead of values; the rows of a list once, with every key that any of them has. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(merged)];
  if (typeof value !== 'object') return typeof value;
  const rows = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(rows.map(([key, one]) => [key, shapeOf(one)]));
}

async function probed(method: string, ask: () => Promise<unknown>): Promise<ProbedReply> {
  try {
    return { method, outcome: 'ok', shape: shapeOf(await ask()) };
  } catch (error) {
    if (!isCmuxError(error)) throw error;
    return { method, outcome: error.rpcCode ?? error.code, shape: messageOf(error) };
  }
}

/** Of free text its first field, where it has fields of its own; what lists hold is somebody's. */
function lineShape(line: string): unknown {
  return line.startsWith('tab=') ? { tab: 'string' } : 'lines';
}

function merged(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return a === b ? a : [...new Set([a, b].flat())].toSorted(byText);
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return Object.fromEntries(
    keys.map((key) => [key, key in a && key in b ? merged(a[key], b[key]) : (a[key] ?? b[key])]),
  );
}

/** Whichever row came first. */
function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
