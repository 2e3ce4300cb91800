import { type Digest, digestOfFile } from '@bailiwick/durable-files';
import { askedOnce } from '../asked-once.ts';

/** The digest of a file, as `digestOfFile`; of one that was asked for before, as it was then. */
export type DigestOnce = (path: string) => Promise<Digest>;

/** The attempts of a batch share most of the files that are looked at for each. */
export function digestOnce(): DigestOnce {
  return askedOnce((path: string) => digestOfFile(path));
}
