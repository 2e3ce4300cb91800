import { type Digest, isDurableFileError } from '@bailiwick/durable-files';
import type { NamedFile } from '../model.ts';
import type { SealDifference } from './difference.ts';
import type { FiledSeal } from './read-chain.ts';

/** The digest of a file of the run by its name; undefined where nothing is there. May throw a DurableFileError where it can't be read. */
export type ReadArtifact = (name: string) => Digest | undefined | Promise<Digest | undefined>;

// Enough to keep the disk busy, few enough for any limit on open files.
const FILES_AT_A_TIME = 32;

/** Holds every file that seals name against what is there now: each finding once, however many seals name the file. */
export async function checkFiles(
  seals: readonly FiledSeal[],
  readArtifact: ReadArtifact,
): Promise<readonly SealDifference[]> {
  const sealed = seals.flatMap(({ seal: { statement } }) =>
    filesOf(statement).map((file) => ({ file, sealKey: statement.predicate.sealKey })),
  );
  const found = await readAll([...new Set(sealed.map(({ file }) => file.name))], readArtifact);
  const differences = new Map<string, SealDifference>();
  for (const { file, sealKey } of sealed) {
    const difference = compareFile(file, found.get(file.name), sealKey);
    if (difference !== undefined) differences.set(`${file.name}\0${file.digest}`, difference);
  }
  return [...differences.values()];
}

type Found = Digest | undefined | Error;

async function readAll(names: readonly string[], readArtifact: ReadArtifact): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (let at = 0; at < names.length; at += FILES_AT_A_TIME) {
    const some = names.slice(at, at + FILES_AT_A_TIME);
    const states = await Promise.all(some.map((name) => readOrFailure(name, readArtifact)));
    for (const [index, name] of some.entries()) found.set(name, states[index]);
  }
  return found;
}

function filesOf({ subject, predicate }: FiledSeal['seal']['statement']): readonly NamedFile[] {
  return [
    // The schema holds the hex digits to what a digest's are.
    ...subject.map(({ name, digest }) => ({ name, digest: `sha256:${digest.sha256}` as Digest })),
    ...predicate.files,
  ];
}

async function readOrFailure(name: string, readArtifact: ReadArtifact): Promise<Found> {
  try {
    return await readArtifact(name);
  } catch (error) {
    if (isDurableFileError(error)) return error;
    throw error;
  }
}

function compareFile({ name, digest }: NamedFile, now: Found, sealKey: string): SealDifference | undefined {
  if (now instanceof Error) return { code: 'file-unreadable', file: name, message: now.message, sealKey };
  if (now === (digest ?? undefined)) return undefined;
  if (now === undefined)
    return {
      code: 'file-missing',
      file: name,
      message: 'is gone',
      sealKey,
      ...(digest === null ? {} : { expected: digest }),
    };
  if (digest === null)
    return {
      code: 'file-differs',
      file: name,
      message: 'is there, and was not when it was sealed',
      sealKey,
      found: now,
    };
  return {
    code: 'file-differs',
    file: name,
    message: 'has other bytes than were sealed',
    sealKey,
    expected: digest,
    found: now,
  };
}
