/** JSON data. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Which values, besides what can't be JSON at all, are let through. */
export interface JsonRules {
  /** `undefined` as an object's member: JSON.stringify leaves it out. */
  readonly undefinedMembers: 'refused' | 'dropped';
  /** Half a surrogate pair in a string or key: JSON.stringify escapes it, canonical JSON has no form for it. */
  readonly loneSurrogates: 'refused' | 'kept';
}

interface Frame {
  readonly container: object;
  /** Absent for an array. */
  readonly keys?: readonly string[];
  readonly length: number;
  next: number;
}

/**
 * Finds the first part of a value that isn't JSON data: JSON.stringify would drop it, change it or fail on it.
 * Works without recursion, so depth costs memory only.
 *
 * @returns its JSON pointer and what it is, or undefined when everything is JSON
 */
export function findNonJson(value: unknown, rules: JsonRules): { pointer: string; what: string } | undefined {
  const frames: Frame[] = [];
  const above = new Set<object>();
  const fail = (what: string) => ({ pointer: pointerTo(frames), what });
  const enter = (child: unknown): string | undefined => {
    const what = problemOf(child, rules);
    if (what !== undefined || typeof child !== 'object' || child === null) return what;
    if (above.has(child)) return 'a cycle';
    above.add(child);
    frames.push(frameOf(child));
    return undefined;
  };

  const first = enter(value);
  if (first !== undefined) return fail(first);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.length) {
      above.delete(frame.container);
      frames.pop();
      continue;
    }
    const what = stepInto(frame, rules, enter);
    if (what !== undefined) return fail(what);
  }
  return undefined;
}

/** The JSON pointer (RFC 6901) of a list of keys. */
export function jsonPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function stepInto(frame: Frame, rules: JsonRules, enter: (child: unknown) => string | undefined): string | undefined {
  const key = frame.keys === undefined ? frame.next : frame.keys[frame.next];
  frame.next += 1;
  if (typeof key === 'string' && rules.loneSurrogates === 'refused' && !key.isWellFormed())
    return 'a key with half a surrogate pair';
  const child: unknown = Reflect.get(frame.container, key ?? '');
  if (child === undefined && frame.keys !== undefined && rules.undefinedMembers === 'dropped') return undefined;
  return enter(child);
}

function frameOf(container: object): Frame {
  if (Array.isArray(container)) return { container, length: container.length, next: 0 };
  const keys = Object.keys(container);
  return { container, keys, length: keys.length, next: 0 };
}

function problemOf(value: unknown, rules: JsonRules): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined;
    case 'string':
      return rules.loneSurrogates === 'kept' || value.isWellFormed() ? undefined : 'half a surrogate pair';
    case 'number':
      return Number.isFinite(value) ? undefined : String(value);
    case 'object':
      return value === null || Array.isArray(value) || isPlain(value) ? undefined : 'an object that is not plain data';
    default:
      return value === undefined ? 'undefined' : `a ${typeof value}`;
  }
}

// An object of another realm has another Object.prototype, but that one has no prototype either.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isBase = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isBase && Object.getOwnPropertySymbols(value).length === 0;
}

function pointerTo(frames: readonly Frame[]): string {
  return jsonPointer(frames.map((frame) => frame.keys?.[frame.next - 1] ?? frame.next - 1));
}
