import { join } from 'node:path';
import type { LayerOrder } from '@bailiwick/dispatch-state';

/** The folders of a layer: what is written there, what overlayfs needs beside it, and where `mount` puts lower and whole. */
export const LayerFolder = { upper: 'upper', work: 'work', lower: 'lower', merged: 'merged', copy: 'copy' } as const;

/** The layer of an attempt with this private folder: beside it, since what the attempt can write is bound inside. */
export function layerFolderOf(privateFolder: string): string {
  return `${privateFolder}.layer`;
}

/** bubblewrap's arguments that put a layer over its work tree. */
export function layerMount({ worktree, folder, means }: LayerOrder): readonly string[] {
  const at = (name: keyof typeof LayerFolder): string => join(folder, name);
  switch (means.kind) {
    case 'bubblewrap':
      return ['--overlay-src', worktree, '--overlay', at('upper'), at('work'), worktree];
    case 'mount':
      return ['--bind', at('merged'), worktree];
    case 'copy':
      return ['--bind', at('copy'), worktree];
    default:
      return unreachable(means);
  }
}

/**
 * What goes around bubblewrap: a namespace in which `mount` may make the layer. Relative paths keep whatever the real
 * ones hold out of mount's options. `userxattr`, since a user namespace may not set the other marks (Linux 5.11).
 */
export function mountedAround({ worktree, folder, means }: LayerOrder): readonly string[] {
  if (means.kind !== 'mount') return [];
  return [
    ...[means.unshare, '--user', '--map-root-user', '--mount', '--'],
    ...['/bin/sh', '-c', MOUNT_SCRIPT, 'bailiwick-layer', means.mount, folder, worktree],
  ];
}

/** The mounts are made in a subshell: the folder that the agent starts in stays what it is, and so does its environment. */
const MOUNT_SCRIPT = [
  '(cd -- "$2" && "$1" -n -o rbind -- "$3" lower && "$1" -n -t overlay',
  '-o lowerdir=lower,upperdir=upper,workdir=work,userxattr overlay merged) || exit 1; shift 3; exec "$@"',
].join(' ');

function unreachable(means: never): never {
  throw new TypeError(`unknown layer: ${JSON.stringify(means)}`);
}
