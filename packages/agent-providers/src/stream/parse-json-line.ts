/** One event of a stream: an object with whatever the program put into it. */
export type JsonEvent = Readonly<Record<string, unknown>>;

/** The object that a line holds; undefined when it holds none. */
export function parseJsonLine(text: string): JsonEvent | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

// No event comes near; what lies deeper counts as cut off, so that a line of nothing but brackets costs nothing.
const MAX_DEPTH = 100;

/**
 * The object that the beginning of a line holds, when the line was cut: every member that was complete at the cut, at
 * any depth. A value that the cut went through is absent, so no half name is taken for a whole one.
 */
export function parseJsonBeginning(text: string): JsonEvent | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const open: string[] = [];
  let end = 0;
  for (let at = 0; at < text.length && open.length < MAX_DEPTH; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? '}' : ']');
      end = at + 1;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      end = at + 1;
    } else if (sign === ',') {
      end = at;
    }
  }
  return parseJsonLine(text.slice(0, end) + open.reverse().join(''));
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function asObject(value: unknown): JsonEvent | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // A JSON object that is no array has string keys only.
  return value as JsonEvent;
}
