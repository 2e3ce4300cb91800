import { StringDecoder } from 'node:string_decoder';

/** The longest line that is listened to. A peer that sends more without a newline isn't one of ours. */
const MAX_LINE_CHARACTERS = 1_000_000;

/** Cuts chunks into lines. `undefined` from `push` says that the peer doesn't keep to lines. */
export function lineCutter(): { push(chunk: Uint8Array): readonly string[] | undefined } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    push(chunk) {
      const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS) return undefined;
      return lines.filter((line) => line.trim() !== '');
    },
  };
}
