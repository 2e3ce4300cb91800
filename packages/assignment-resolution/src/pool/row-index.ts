import { peekString, peekStrings } from '../wire/pool-row.ts';

/**
 * Where in a pool a name is found. It reads rows' names without judging the rows: a row broken elsewhere, or broken
 * through and through, neither stops the indexing nor hides another row (AR-4).
 */
export interface RowIndex {
  readonly refs: readonly string[];
  byRef(modelRef: string): readonly number[];
  /**
   * Rows of one agent CLI that answer to a name: by ref, model id or alias, and only where none does, by the value that
   * its CLI gets, since a channel and its pinned versions may share that.
   */
  byName(providerId: string, name: string): readonly number[];
  /** The same over all agent CLIs. */
  byBareName(name: string): readonly number[];
  byProvider(providerId: string): readonly number[];
  byChannelFamily(providerId: string, family: string): readonly number[];
}

export function indexRows(rows: readonly unknown[]): RowIndex {
  const [refs, providers, families, names, values] = [list(), list(), list(), list(), list()];
  for (const [at, row] of rows.entries()) {
    const ref = peekString(row, 'modelRef');
    if (ref === undefined) continue;
    const provider = providerPart(ref);
    add(refs, ref, at);
    add(providers, provider, at);
    const family = peekString(row, 'channelFamily');
    if (family !== undefined && peekString(row, 'versionKind') === 'channel') add(families, key(provider, family), at);
    addNames(names, provider, { at, own: declaredNames(row, ref) });
    addNames(values, provider, { at, own: executionValues(row) });
  }
  const named = (name: string) => names.get(name) ?? values.get(name) ?? [];
  return {
    refs: [...refs.keys()],
    byRef: (modelRef) => refs.get(modelRef) ?? [],
    byName: (providerId, name) => named(key(providerId, name)),
    byBareName: (name) => named(key('', name)),
    byProvider: (providerId) => providers.get(providerId) ?? [],
    byChannelFamily: (providerId, family) => families.get(key(providerId, family)) ?? [],
  };
}

type RowsByKey = Map<string, number[]>;

function list(): RowsByKey {
  return new Map();
}

function providerPart(ref: string): string {
  const slash = ref.indexOf('/');
  return slash < 0 ? ref : ref.slice(0, slash);
}

function declaredNames(row: unknown, ref: string): ReadonlySet<string> {
  const modelId = peekString(row, 'modelId') ?? peekString(row, 'executionValue');
  return new Set([ref, ...(modelId === undefined ? [] : [modelId]), ...peekStrings(row, 'aliases')]);
}

function executionValues(row: unknown): ReadonlySet<string> {
  const short = peekString(row, 'executionValue');
  const bindings: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'bindings') : undefined;
  const bound = Array.isArray(bindings)
    ? bindings.flatMap((one) => peekString(one, 'resolvedExecutionValue') ?? [])
    : [];
  return new Set([...(short === undefined ? [] : [short]), ...bound]);
}

/** Under its agent CLI, and under none: no provider id is empty. */
function addNames(map: RowsByKey, provider: string, row: { at: number; own: ReadonlySet<string> }): void {
  for (const name of row.own) {
    add(map, key(provider, name), row.at);
    add(map, key('', name), row.at);
  }
}

function key(providerId: string, name: string): string {
  return `${providerId}\u0000${name}`;
}

function add(map: RowsByKey, name: string, at: number): void {
  const found = map.get(name);
  if (found === undefined) map.set(name, [at]);
  else found.push(at);
}
