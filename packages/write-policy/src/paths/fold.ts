/** Code points that HFS+ ignores in a name, so that `.g\u200cit` opens `.git`. */
const IGNORED_BY_HFS = /\u200c|\u200d|\u200e|\u200f|[\u202a-\u202e\u206a-\u206f]|\ufeff/g;

/**
 * One spelling for all that some file system takes for the same text: case and composition. Lower before upper, since
 * lower-casing alone depends on what stands behind a letter (Greek sigma), and a prefix must stay a prefix.
 */
export function foldText(text: string): string {
  return text.toLowerCase().toUpperCase().normalize('NFD');
}

/** The same for one name, where a file system may also drop trailing dots and spaces or cut a stream's name. */
export function foldName(name: string): string {
  const bare = name.replace(IGNORED_BY_HFS, '');
  const stream = bare.indexOf(':');
  return foldText((stream > 0 ? bare.slice(0, stream) : bare).replace(/[. ]+$/, ''));
}

/** Whether `path` is `folder` or lies below it on a file system that may ignore case. */
export function isInsideFolded(path: string, folder: string): boolean {
  const inner = foldText(path);
  const outer = foldText(folder);
  return outer === '/' || inner === outer || inner.startsWith(`${outer}/`);
}
