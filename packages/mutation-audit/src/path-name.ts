import type { PathName } from './model.ts';

/**
 * A path as the walk keeps it: one character per byte (latin1). No name is lost or changed, whatever its encoding,
 * and comparing two of them compares their bytes.
 */
export type BytePath = string;

const beyondAscii = /[\u0080-\uffff]/;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether all bytes are ASCII. */
export function isAscii(text: BytePath): boolean {
  return !beyondAscii.test(text);
}

/** The form that `node:fs` takes: a string where the bytes are ASCII (fast), else the bytes themselves. */
export function forFileSystem(path: BytePath): string | Buffer {
  return beyondAscii.test(path) ? Buffer.from(path, 'latin1') : path;
}

/** The bytes of an ordinary string path. */
export function toBytePath(path: string): BytePath {
  return beyondAscii.test(path) ? Buffer.from(path, 'utf8').toString('latin1') : path;
}

/** The string where the bytes are UTF-8, else the bytes in base64. */
export function toPathName(path: BytePath): PathName {
  if (!beyondAscii.test(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return { pathBytes: bytes.toString('base64') };
  }
}

/** A path for people: bytes that are not UTF-8 and control characters are shown as `\xNN`. */
export function displayPath(path: PathName): string {
  const text = typeof path === 'string' ? path : Buffer.from(path.pathBytes, 'base64').toString('latin1');
  const unsafe = typeof path === 'string' ? /\p{Cc}/gu : /[^ -~]/g;
  return text.replace(unsafe, (char) => `\\x${(char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);
}
