import { join, relative, sep } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import {
  type Digest,
  type DocumentCodec,
  digestOfBytes,
  digestOfFile,
  isDurableFileError,
} from '@bailiwick/durable-files';
import type { NamedFile } from '../model.ts';

/**
 * The names, in the run's folder, of the files that don't change any more once an attempt is settled: prompt and metadata, baseline,
 * sidecar, log. `further` are absolute paths of others, such as manifest and invocation. What lies outside the run's folder is left out
 * (the prompt's digest is in the facts all the same); pure.
 */
export function attemptFileNames(
  record: DispatchRecord,
  { runDirectory, further }: { readonly runDirectory: string; readonly further: readonly string[] },
): readonly string[] {
  const { promptPath, promptMetadataPath, mutationAuditSnapshotPath, statusSidecarPath, logPath } = record;
  const paths = [...further, promptPath, promptMetadataPath, statusSidecarPath, logPath, `${logPath}.1`];
  const all = mutationAuditSnapshotPath === null ? paths : [...paths, mutationAuditSnapshotPath];
  return [...new Set(all.flatMap((path) => nameWithin(runDirectory, path)))];
}

/**
 * Those files with the digests that they have now; null where nothing is there.
 *
 * @throws DurableFileError as `digestOfFile`, but for FILE_MISSING
 */
export async function digestFiles(runDirectory: string, names: readonly string[]): Promise<readonly NamedFile[]> {
  return digestFilesOnce(runDirectory, names, new Map());
}

/** As `digestFiles`; a file whose digest is in `known` already isn't read again, and what is read is noted there. */
export async function digestFilesOnce(
  runDirectory: string,
  names: readonly string[],
  known: Map<string, Promise<Digest | undefined>>,
): Promise<readonly NamedFile[]> {
  return Promise.all(
    names.map(async (name) => {
      const digest = known.get(name) ?? digestWithin(runDirectory, name);
      known.set(name, digest);
      return { name, digest: (await digest) ?? null };
    }),
  );
}

/** The digest of a file of the run; undefined where nothing is there. Throws PATH_ESCAPES where it leads out of the run's folder. */
export async function digestWithin(runDirectory: string, name: string): Promise<Digest | undefined> {
  try {
    return await digestOfFile(join(runDirectory, name), { within: runDirectory });
  } catch (error) {
    if (isDurableFileError(error) && error.code === 'FILE_MISSING') return undefined;
    throw error;
  }
}

/**
 * The digest that `writeDocument` will return for a document: a record can be sealed before it is written.
 *
 * @throws DurableFileError DOCUMENT_INVALID for what can't be written
 */
export function digestToBeWritten<T>(codec: DocumentCodec<T>, value: T): Digest {
  return digestOfBytes(`${JSON.stringify(codec.encode(value), null, 2)}\n`);
}

function nameWithin(runDirectory: string, path: string): readonly string[] {
  const name = relative(runDirectory, path);
  const isInside = name !== '' && name !== '..' && !name.startsWith(`..${sep}`);
  return isInside ? [name.split(sep).join('/')] : [];
}
