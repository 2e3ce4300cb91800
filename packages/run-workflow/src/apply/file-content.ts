import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';

/** What lies at a path: a file's bytes, a symlink's target, or something that is never applied (a folder, a device). */
export interface FileContent {
  readonly kind: 'file' | 'symlink' | 'other';
  readonly bytes: Buffer;
  /** Permission bits; git knows no more of them than whether the owner may execute. */
  readonly mode: number;
}

/** Reads a path without following a link at its end; null where nothing is there. */
export async function contentOf(path: string | Buffer): Promise<FileContent | null> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return null;
  const mode = stats.mode & 0o777;
  if (stats.isSymbolicLink()) return { kind: 'symlink', bytes: await readlink(path, { encoding: 'buffer' }), mode };
  if (stats.isFile()) return { kind: 'file', bytes: await readFile(path), mode };
  return { kind: 'other', bytes: Buffer.alloc(0), mode };
}

/** Whether content is what an audit recorded: `sha256:` over the bytes, or git's blob id where only the index knew it. */
export function matchesDigest(content: FileContent | null, digest: string | null): boolean {
  if (content === null || content.kind === 'other' || digest === null) return digest === null && !isFileOrLink(content);
  const [kind, hex] = splitDigest(digest);
  if (kind === 'sha256') return createHash('sha256').update(content.bytes).digest('hex') === hex;
  const algorithm = kind === 'git-sha1' ? 'sha1' : 'sha256';
  return createHash(algorithm).update(`blob ${content.bytes.length}\0`).update(content.bytes).digest('hex') === hex;
}

/** Whether two places hold the same, as far as git tells contents apart: kind, bytes, executable or not. */
export function isSameContent(a: FileContent | null, b: FileContent | null): boolean {
  if (!isFileOrLink(a) || !isFileOrLink(b)) return isFileOrLink(a) === isFileOrLink(b);
  return a.kind === b.kind && a.bytes.equals(b.bytes) && (a.kind === 'symlink' || isExecutable(a) === isExecutable(b));
}

/** Whether the owner may execute it. */
export function isExecutable({ mode }: FileContent): boolean {
  return (mode & 0o100) !== 0;
}

function isFileOrLink(content: FileContent | null): content is FileContent {
  return content !== null && content.kind !== 'other';
}

function splitDigest(digest: string): readonly [string, string] {
  const at = digest.indexOf(':');
  return [digest.slice(0, at), digest.slice(at + 1)];
}
