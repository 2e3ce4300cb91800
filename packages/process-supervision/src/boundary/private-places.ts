import { mkdir, readdir, readlink, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { BoundaryOrder } from '@bailiwick/dispatch-state';
import type { ExtraBind } from './bwrap-arguments.ts';
import { removeStubbornly } from './remove-stubbornly.ts';

/** What an attempt has to itself, as binds, and where its environment points. */
export interface PrivatePlaces {
  readonly binds: readonly ExtraBind[];
  /** Absent: the user's HOME, which is then among the binds. */
  readonly home?: string;
  readonly temporaryFolder: string;
}

/** What an attempt must still find where it is, absolute: nothing is laid over these. */
export interface NeededPaths {
  readonly paths: readonly string[];
  /** The folders of its PATH. */
  readonly searchPath: readonly string[];
}

/** Where other users' and programs' temporary files are, sockets of theirs too. */
const SHARED_TEMPORARY = ['/tmp', '/var/tmp'];
const RUN = '/run';

/**
 * Makes the attempt's own folder with HOME, temporary folder and what is seen of `/run`; what lay there is of an earlier
 * start of the same attempt. `/tmp`, `/var/tmp` and `/run` are replaced where nothing that the attempt needs lies below
 * them.
 */
export async function makePrivatePlaces(order: BoundaryOrder, needed: NeededPaths): Promise<PrivatePlaces> {
  const { privateFolder, privateHome } = order;
  await removeStubbornly(privateFolder);
  const [home, temporary, run] = ['home', 'tmp', 'run'].map((name) => join(privateFolder, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, temporary, run]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = [...needed.paths, privateFolder];
  const isFree = (folder: string, paths: readonly string[]): boolean =>
    !paths.some((path) => path === folder || path.startsWith(`${folder}/`));
  const shared = (await realFolders(SHARED_TEMPORARY)).filter((folder) =>
    isFree(folder, [...kept, ...needed.searchPath]),
  );
  return {
    binds: [
      { source: privateFolder, destination: privateFolder, isWritable: true },
      ...shared.map((folder) => ({ source: temporary, destination: folder, isWritable: true })),
      ...(isFree(RUN, kept) ? await bindsOfRun(run) : []),
      ...(await homeBinds(order, home)),
    ],
    ...(privateHome === null ? {} : { home }),
    temporaryFolder: shared.includes('/tmp') ? '/tmp' : temporary,
  };
}

/** Takes it away again; a file that something still holds open is no reason to fail. */
export async function removePrivatePlaces({ privateFolder }: Pick<BoundaryOrder, 'privateFolder'>): Promise<void> {
  await removeStubbornly(privateFolder);
}

/**
 * Sockets of daemons are in `/run`; what is kept of it is the file that names the DNS servers, and links that lead out
 * of it, which are how some systems put programs on the PATH.
 */
async function bindsOfRun(own: string): Promise<readonly ExtraBind[]> {
  const resolver = await realpath('/etc/resolv.conf').catch(() => '');
  const binds: ExtraBind[] = [{ source: own, destination: RUN, isWritable: false }];
  if (resolver.startsWith(`${RUN}/`)) {
    await placeholder(join(own, resolver.slice(RUN.length)));
    binds.push({ source: resolver, destination: resolver, isWritable: false });
  }
  for (const entry of await readdir(RUN, { withFileTypes: true }).catch(() => [])) {
    if (entry.isSymbolicLink()) await copyLinkOut(entry.name, own);
  }
  return binds;
}

async function copyLinkOut(name: string, own: string): Promise<void> {
  const target = await readlink(join(RUN, name)).catch(() => '');
  if (!isAbsolute(target) || resolve(target).startsWith(`${RUN}/`)) return;
  await symlink(target, join(own, name)).catch(() => undefined);
}

async function homeBinds({ privateHome }: BoundaryOrder, home: string): Promise<readonly ExtraBind[]> {
  if (privateHome === null) return [];
  const binds: ExtraBind[] = [];
  for (const { source, below } of privateHome.logins) {
    const real = await realpath(source).catch(() => undefined);
    const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || stats?.isFile() !== true) continue;
    const destination = join(home, below);
    await placeholder(destination);
    binds.push({ source: real, destination, isWritable: true });
  }
  return binds;
}

/** A file of our own to bind over, so that bubblewrap has nothing to make. */
async function placeholder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, '');
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await realpath(path).catch(() => '')) === path ? [path] : [])),
  );
  return found.flat();
}
