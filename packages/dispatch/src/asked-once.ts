/** What `ask` answers to each key; the same answer when it's asked again: for a moment in which nothing changes. */
export function askedOnce<K, T>(ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
}
