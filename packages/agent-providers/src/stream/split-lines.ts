/** A line longer than this is cut: no event that matters is, and a thousand readers must fit into one process. */
export const MAX_LINE_BYTES = 1_048_576;

/** One line of output, without its line end. */
export interface StreamLine {
  /** Decoded as UTF-8; each invalid sequence is U+FFFD. */
  readonly text: string;
  /** Bytes of the whole line. */
  readonly bytes: number;
  /** Bytes that were cut off its end; 0 for nearly every line. */
  readonly cutBytes: number;
}

/** Cuts bytes into lines; chunk borders leave no trace. */
export interface LineSplitter {
  push(chunk: Uint8Array): readonly StreamLine[];
  /** The unfinished last line, if there is one. */
  end(): readonly StreamLine[];
  /** The unfinished last line so far, as text. */
  tail(): string;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const KEEP_BUFFER_BYTES = 4_096;
const EMPTY = new Uint8Array(0);
const utf8 = new TextDecoder();

/** A splitter for one output of one process. It holds at most `maxLineBytes`, plus one chunk. */
export function createLineSplitter(maxLineBytes: number = MAX_LINE_BYTES): LineSplitter {
  let held: Uint8Array = EMPTY;
  let heldBytes = 0;
  let lineBytes = 0;

  function hold(part: Uint8Array): void {
    lineBytes += part.length;
    const kept = part.subarray(0, Math.max(0, maxLineBytes - heldBytes));
    held = roomFor(held, heldBytes, kept.length);
    held.set(kept, heldBytes);
    heldBytes += kept.length;
  }

  function finish(last: Uint8Array): StreamLine {
    if (lineBytes === 0 && last.length <= maxLineBytes) return lineOf(last, last.length);
    hold(last);
    const line = lineOf(held.subarray(0, heldBytes), lineBytes);
    if (held.length > KEEP_BUFFER_BYTES) held = EMPTY;
    heldBytes = 0;
    lineBytes = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: StreamLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        lines.push(finish(chunk.subarray(from, at)));
        from = at + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
      return lines;
    },
    end: () => (lineBytes === 0 ? [] : [finish(EMPTY)]),
    tail: () => utf8.decode(held.subarray(0, heldBytes)),
  };
}

function lineOf(kept: Uint8Array, bytes: number): StreamLine {
  const isCut = kept.length < bytes;
  const end = !isCut && kept.at(-1) === CARRIAGE_RETURN ? kept.length - 1 : kept.length;
  return { text: utf8.decode(kept.subarray(0, end)), bytes, cutBytes: bytes - kept.length };
}

function roomFor(buffer: Uint8Array, used: number, more: number): Uint8Array {
  if (used + more <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(used + more, buffer.length * 2, 256));
  larger.set(buffer.subarray(0, used));
  return larger;
}
