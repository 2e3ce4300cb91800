import type { PathName } from '../model.ts';
import { isNormalized } from './path-name.ts';

/**
 * The text under which an observed path is compared, or undefined for what no walk of a file system can yield
 * (relative, `..`, NUL). Names that aren't UTF-8 come out with lone surrogates for their bytes: they compare by the
 * folders above them and can equal no path of a policy, which is always well-formed.
 */
export function observedText(path: PathName): string | undefined {
  const text = typeof path === 'string' ? path : textOfBytes(Buffer.from(path.pathBytes, 'base64'));
  return text.includes('\0') || !isNormalized(text) ? undefined : text;
}

function textOfBytes(bytes: Buffer): string {
  const names: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(SLASH); start <= bytes.length; end = bytes.indexOf(SLASH, start)) {
    const stop = end === -1 ? bytes.length : end;
    names.push(nameOfBytes(bytes.subarray(start, stop)));
    start = stop + 1;
  }
  return names.join('/');
}

function nameOfBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
}

const SLASH = 0x2f;
