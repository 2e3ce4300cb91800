// Beyond three a list of guesses stops helping.
const maxSuggestions = 3;

/** The names that a mistyped one most likely meant, best first; at most three, often none. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(2, Math.floor(wanted.length / 4));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name) }))
    .filter(({ name, distance }) => distance <= limit || name.endsWith(`/${wanted}`))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

/** Levenshtein distance, one row at a time. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
