import { aliasAdditionIn, peekString, peekStrings } from '../wire/pool-row.ts';

/**
 * The shipped rows with a user's additions. An addition is a whole row in full or short form, which takes the place of
 * the row with its ref or is appended, or `{modelRef, aliases}`, which adds names to a row that is there.
 * Broken additions are kept as they are: they fail when that model is used, and nothing else does (AR-4).
 * {@link checkModelPool} finds them all at once.
 */
export function mergePool(shipped: readonly unknown[], userAdditions: readonly unknown[]): readonly unknown[] {
  const rows = [...shipped];
  const placeOf = new Map<string, number>();
  for (const [at, row] of rows.entries()) remember(placeOf, row, at);
  // A second addition for a ref that the user has added already is a conflict to be shown, not a silent winner.
  const addedByUser = new Set<string>();
  for (const addition of userAdditions) {
    const ref = peekString(addition, 'modelRef');
    const at = ref === undefined ? undefined : placeOf.get(ref);
    const names = aliasAdditionIn(addition);
    if (at !== undefined && names !== undefined) {
      rows[at] = withAliases(rows[at], names.aliases);
    } else if (at !== undefined && ref !== undefined && !addedByUser.has(ref)) {
      rows[at] = addition;
      addedByUser.add(ref);
    } else {
      if (ref !== undefined) addedByUser.add(ref);
      remember(placeOf, addition, rows.length);
      rows.push(addition);
    }
  }
  return rows;
}

function remember(placeOf: Map<string, number>, row: unknown, at: number): void {
  const ref = peekString(row, 'modelRef');
  if (ref !== undefined && !placeOf.has(ref)) placeOf.set(ref, at);
}

function withAliases(row: unknown, aliases: readonly string[]): unknown {
  if (typeof row !== 'object' || row === null) return row;
  return { ...row, aliases: [...new Set([...peekStrings(row, 'aliases'), ...aliases])] };
}
