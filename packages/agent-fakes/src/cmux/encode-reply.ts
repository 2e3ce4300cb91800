/** One line as the app's serializer writes it: keys in any order, `/` escaped. What matches texts fails on it. */
export function encodeReply(value: unknown, random: () => number): string {
  return JSON.stringify(shuffled(value, random)).replaceAll('/', '\\/');
}

function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, random));
  if (typeof value !== 'object' || value === null) return value;
  const rows = Object.entries(value).map(([key, one]) => ({ key, one: shuffled(one, random), rank: random() }));
  return Object.fromEntries(rows.toSorted((a, b) => a.rank - b.rank).map(({ key, one }) => [key, one]));
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
