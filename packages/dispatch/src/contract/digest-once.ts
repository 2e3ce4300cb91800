import { type Digest, digestOfFile } from '@bailiwick/durable-files';

/** The digest of a file, as `digestOfFile`; of one that was asked for before, as it was then. */
export type DigestOnce = (path: string) => Promise<Digest>;

/** For a moment in which nothing changes: the attempts of a batch share most of the files that are looked at for each. */
export function digestOnce(): DigestOnce {
  const known = new Map<string, Promise<Digest>>();
  return (path) => {
    const digest = known.get(path) ?? digestOfFile(path);
    known.set(path, digest);
    return digest;
  };
}
