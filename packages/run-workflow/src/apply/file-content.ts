import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';

/** A file's bytes, a symlink's target, or null where there is nothing; other kinds are never applied. */
export async function contentOf(path: string): Promise<Buffer | null> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) return Buffer.from(await readlink(path));
  return stats.isFile() ? readFile(path) : null;
}

/** Whether content is what an audit recorded: `sha256:` over the bytes, or git's blob id where only the index knew it. */
export function matchesDigest(content: Buffer | null, digest: string | null): boolean {
  if (content === null || digest === null) return content === null && digest === null;
  const [kind, hex] = splitDigest(digest);
  if (kind === 'sha256') return createHash('sha256').update(content).digest('hex') === hex;
  const algorithm = kind === 'git-sha1' ? 'sha1' : 'sha256';
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex') === hex;
}

function splitDigest(digest: string): readonly [string, string] {
  const at = digest.indexOf(':');
  return [digest.slice(0, at), digest.slice(at + 1)];
}
