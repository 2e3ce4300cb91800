import type { PathName } from '../model.ts';

/** The path as text for folder tests: bytes that are not UTF-8 become the replacement character, so it equals no planned file by accident. */
export function pathText(path: PathName): string {
  return typeof path === 'string' ? path : Buffer.from(path.pathBytes, 'base64').toString('utf8');
}

/** Whether a path is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Project-relative where inside the project, else as it is. */
export function projectPath(path: PathName, projectRoot: string): PathName {
  if (typeof path === 'string') {
    return isInside(path, projectRoot) && path !== projectRoot ? path.slice(projectRoot.length + 1) : path;
  }
  const bytes = Buffer.from(path.pathBytes, 'base64');
  const prefix = Buffer.from(`${projectRoot}/`, 'utf8');
  if (!bytes.subarray(0, prefix.length).equals(prefix)) return path;
  return { pathBytes: bytes.subarray(prefix.length).toString('base64') };
}

/** All folders above a path, nearest first, without `/`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) folders.push(path.slice(0, cut));
  return folders;
}
