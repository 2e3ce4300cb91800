/** Every place of a JSON document below its root, as keys from the root. */
export function placesOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  const inner =
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, item]) => placesOf(item, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

/** The document with another value at one place; `undefined` takes the member away. */
export function changedAt(document: unknown, place: readonly string[], value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const copy: object = Array.isArray(document) ? [...document] : { ...Object(document) };
  const inner = changedAt(Reflect.get(copy, key), rest, value);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, inner);
  return copy;
}

export function pointerTo(place: readonly string[]): string {
  return place.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
