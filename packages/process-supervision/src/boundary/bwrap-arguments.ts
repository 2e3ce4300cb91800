import type { LayerOrder } from '@bailiwick/dispatch-state';
import { layerMount, mountedAround } from './layer-mounts.ts';
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
  /** The descriptor that bubblewrap notes its namespaces on; absent: none. */
  readonly noteFd?: number;
  readonly userId: number;
  readonly groupId: number;
  /** What a mount of kind `layer` is; absent where there is none. */
  readonly layer?: LayerOrder;
}

/**
 * What root keeps inside, besides nothing: with CAP_SYS_ADMIN it would unmount what is bound read-only. These let it do
 * with its own files what it is used to, and no other user's file is ever within their reach in a user namespace.
 */
const ROOT_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_SETFCAP'];

/**
 * The command line up to bubblewrap's `--`: the whole file system read-only, the mounts over it, and no process, shared
 * memory or device of the machine in reach. The network stays: agents talk to their models.
 *
 * - `--die-with-parent` and the process namespace: when bubblewrap ends, however it ends, so does everything inside.
 * - `--new-session`: nothing inside can feed a terminal of ours.
 * - User namespaces stay usable, since some agents bring a sandbox of their own.
 */
export function bwrapArguments(request: BwrapRequest): readonly string[] {
  const { mounts, extraBinds, hidden, statusFd, noteFd, layer } = request;
  return [
    ...(layer === undefined ? [] : mountedAround(layer)),
    request.program,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ...identityArguments(request),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...mounts.flatMap((mount) => mountArguments(mount, layer)),
    ...extraBinds.flatMap((bind) => [bind.isWritable ? '--bind' : '--ro-bind', bind.source, bind.destination]),
    ...(statusFd === undefined ? [] : ['--json-status-fd', String(statusFd)]),
    ...(noteFd === undefined ? [] : ['--info-fd', String(noteFd)]),
    '--',
  ];
}

/** Who starts bubblewrap, and who is to be inside. */
export function ownIds(): Pick<BwrapRequest, 'userId' | 'groupId'> {
  return { userId: process.getuid?.() ?? 0, groupId: process.getgid?.() ?? 0 };
}

/** Around bubblewrap a namespace that makes a layer has made it root, which nobody inside is to be. */
function identityArguments({ userId, groupId, layer }: BwrapRequest): readonly string[] {
  const isNested = layer?.means.kind === 'mount';
  const kept = userId === 0 ? ROOT_CAPABILITIES : [];
  return [
    ...(isNested ? ['--uid', String(userId), '--gid', String(groupId)] : []),
    ...(isNested || userId === 0 ? ['--cap-drop', 'ALL', ...kept.flatMap((name) => ['--cap-add', name])] : []),
  ];
}

function mountArguments({ kind, path }: Mount, layer: LayerOrder | undefined): readonly string[] {
  if (kind !== 'layer') return [kind === 'writable' ? '--bind' : '--ro-bind', path, path];
  if (layer === undefined) throw new TypeError(`nobody said what the layer over ${path} is`);
  return layerMount(layer);
}
