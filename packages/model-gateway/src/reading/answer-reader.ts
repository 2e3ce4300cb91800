import { createParser } from 'eventsource-parser';
import type { AnswerFacts, WireFormat } from '../formats/format.ts';

/** Takes the bytes of an answer, and says what it knows as soon as it does. */
export interface AnswerReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** The longest event, and the longest whole answer, that is read; what is larger passes through unread. */
const MAX_READ_CHARACTERS = 16 * 1024 * 1024;

/** A reader for what the answer's headers announce. One that can't be read yields nothing: unknown, not wrong. */
export function createAnswerReader(o: {
  readonly format: WireFormat;
  readonly contentType: string;
  readonly encoding: string | null;
  readonly onFacts: (facts: AnswerFacts) => void;
}): AnswerReader {
  if (o.encoding !== null) return BLIND;
  if (o.contentType.startsWith('text/event-stream')) return eventReader(o.format, o.onFacts);
  return wholeReader(o.format, o.onFacts);
}

const BLIND: AnswerReader = { push: () => undefined, end: () => undefined };

function eventReader(format: WireFormat, onFacts: (facts: AnswerFacts) => void): AnswerReader {
  const decoder = new TextDecoder();
  let isReading = true;
  const parser = createParser({
    maxBufferSize: MAX_READ_CHARACTERS,
    onEvent: ({ event, data }) => {
      if (format.isOfInterest(event)) readJson(data, format, onFacts);
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isReading = false;
    },
  });
  return {
    push: (chunk) => {
      if (isReading) parser.feed(decoder.decode(chunk, { stream: true }));
    },
    // The blank line that ends the last event may be missing.
    end: () => {
      if (isReading) parser.feed(`${decoder.decode()}\n\n`);
    },
  };
}

function wholeReader(format: WireFormat, onFacts: (facts: AnswerFacts) => void): AnswerReader {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    push: (chunk) => {
      bytes += chunk.byteLength;
      if (bytes > MAX_READ_CHARACTERS) chunks = [];
      else chunks.push(chunk);
    },
    end: () => {
      if (bytes <= MAX_READ_CHARACTERS) readJson(Buffer.concat(chunks).toString('utf8'), format, onFacts);
      chunks = [];
    },
  };
}

/** Some servers put the pieces of a streamed answer into one array. */
function readJson(text: string, format: WireFormat, onFacts: (facts: AnswerFacts) => void): void {
  const value = parsed(text);
  for (const part of Array.isArray(value) ? value : [value]) onFacts(format.read(part));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // `[DONE]`, or a piece of something that broke off
  }
}
