import type { Mount } from './plan-mounts.ts';

/** Binds of the attempt's own things, which {@link Mount} doesn't cover: source and destination differ. */
export interface ExtraBind {
  readonly source: string;
  /** Exists, and nobody but us could have put a link on its way. */
  readonly destination: string;
  readonly isWritable: boolean;
}

export interface BwrapRequest {
  readonly program: string;
  readonly mounts: readonly Mount[];
  /** In their order, after the mounts. */
  readonly extraBinds: readonly ExtraBind[];
  /** Existing folders that look empty from inside. */
  readonly hidden: readonly string[];
  /** The descriptor that bubblewrap tells its status on; absent: none. */
  readonly statusFd?: number;
  readonly userId: number;
}

/**
 * What root keeps inside, besides nothing: with CAP_SYS_ADMIN it would unmount what is bound read-only. These let it do
 * with its own files what it is used to, and no other user's file is ever within their reach in a user namespace.
 */
const ROOT_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_SETFCAP'];

/**
 * bubblewrap's command line up to `--`: the whole file system read-only, the mounts over it, and no process, shared
 * memory or device of the machine in reach. The network stays: agents talk to their models.
 *
 * - `--die-with-parent` and the process namespace: when bubblewrap ends, however it ends, so does everything inside.
 * - `--new-session`: nothing inside can feed a terminal of ours.
 * - User namespaces stay usable, since some agents bring a sandbox of their own.
 */
export function bwrapArguments(request: BwrapRequest): readonly string[] {
  const { mounts, extraBinds, hidden, statusFd, userId } = request;
  return [
    request.program,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ...(userId === 0 ? ['--cap-drop', 'ALL', ...ROOT_CAPABILITIES.flatMap((name) => ['--cap-add', name])] : []),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...mounts.flatMap(({ kind, path }) => [kind === 'writable' ? '--bind' : '--ro-bind', path, path]),
    ...extraBinds.flatMap((bind) => [bind.isWritable ? '--bind' : '--ro-bind', bind.source, bind.destination]),
    ...(statusFd === undefined ? [] : ['--json-status-fd', String(statusFd)]),
    '--',
  ];
}
