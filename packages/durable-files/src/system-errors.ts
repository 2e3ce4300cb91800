import { DurableFileError, type DurableFileErrorCode, isDurableFileError } from './errors.ts';

interface Meaning {
  readonly code: DurableFileErrorCode;
  readonly what: string;
  readonly hint?: string;
}

const diskFull: Meaning = {
  code: 'DISK_FULL',
  what: 'no space left',
  hint: 'Free some space or raise the quota, then try again; what stood there before is whole',
};
const notRegular: Meaning = {
  code: 'NOT_A_REGULAR_FILE',
  what: 'not a regular file',
  hint: 'Look at what lies there; it was neither read nor replaced',
};
const noPermission: Meaning = {
  code: 'NO_PERMISSION',
  what: 'no permission',
  hint: 'Check the owner and mode of the path',
};
const tooMany: Meaning = {
  code: 'TOO_MANY_FILES',
  what: 'too many open files',
  hint: 'Raise the limit (ulimit -n) or try again later',
};

const meanings: Readonly<Record<string, Meaning>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EFBIG: { code: 'FILE_TOO_LARGE', what: 'larger than a file may be here', hint: 'Raise the limit (ulimit -f)' },
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: { code: 'READ_ONLY', what: 'the file system is read-only', hint: 'Use a folder that can be written' },
  EMFILE: tooMany,
  ENFILE: tooMany,
  ENOENT: { code: 'FILE_MISSING', what: 'not there' },
  EEXIST: { code: 'FILE_EXISTS', what: 'already there' },
  ENOTDIR: { code: 'NOT_A_FOLDER', what: 'a part of the path is not a folder' },
  EISDIR: notRegular,
  ELOOP: notRegular,
  ENXIO: notRegular,
  ENODEV: notRegular,
  ENAMETOOLONG: { code: 'NAME_TOO_LONG', what: 'the name is too long', hint: 'Use a shorter folder' },
};

/**
 * Makes an error of the operating system into one of ours. An error that is one of ours already is returned as it is.
 *
 * @param doing what was being done, as a gerund: "reading", "writing the record"
 */
export function mapSystemError(error: unknown, path: string, doing: string): DurableFileError {
  if (isDurableFileError(error)) return error;
  const meaning = meanings[systemCodeOf(error) ?? ''];
  if (meaning === undefined) {
    const told = error instanceof Error ? error.message : String(error);
    return new DurableFileError('IO_FAILED', `${doing} failed (${told})`, { path, cause: error });
  }
  const hint = meaning.hint === undefined ? {} : { hint: meaning.hint };
  return new DurableFileError(meaning.code, `${doing} failed, ${meaning.what}`, { path, cause: error, ...hint });
}

/** As `mapSystemError`, where a missing path means that the folder to write in is missing. */
export function mapWriteError(error: unknown, path: string, doing: string): DurableFileError {
  if (isDurableFileError(error) || systemCodeOf(error) !== 'ENOENT') return mapSystemError(error, path, doing);
  return new DurableFileError('FOLDER_MISSING', `${doing} failed, its folder is not there`, {
    path,
    cause: error,
    hint: 'Make the folder first',
  });
}

/** The `code` of a Node system error ("ENOENT"), if it is one. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
