import { join } from 'node:path';
import type { LayerMeans } from '@bailiwick/dispatch-state';
import { outlineTree, type TreeOutline } from '@bailiwick/mutation-audit';
import type { ThrowAwayLayer, WritePolicy } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { pathsBesideLayer } from './layer-places.ts';
import type { BoundarySetting } from './setting.ts';

/** The largest tree that is copied for a worker: a few seconds and as much room for each. */
const MAX_COPY = { maxFiles: 20_000, maxBytes: 512 * 1024 * 1024 } as const;

/** What will lie over a worker's work tree, or why nothing can. */
export type LayerPlan =
  | {
      readonly kind: 'layer';
      readonly layer: ThrowAwayLayer;
      readonly means: LayerMeans;
      /** Absolute; what a copy lacks and is bound into it, to be read. */
      readonly ignoredFolders: readonly string[];
    }
  | { readonly kind: 'none'; readonly reason: string };

/** Only an implementer changes source (WP-3): everyone else has its work tree as a layer. */
export function wantsLayer({ role }: WritePolicy): boolean {
  return role !== 'implementer';
}

/** An overlay where one can be mounted, else a copy of a tree that isn't too large for it. Writes nothing in the tree. */
export async function planLayer(
  context: DispatchContext,
  setting: BoundarySetting,
  { policy, program }: { readonly policy: WritePolicy; readonly program: string },
): Promise<LayerPlan> {
  const { worktree } = policy;
  const test = await setting.testLayer({ program, worktree });
  if (test.kind === 'overlay') return { kind: 'layer', layer: 'overlay', means: test.means, ignoredFolders: [] };
  const outline = await outlineForCopy(context, policy);
  if (outline.kind === 'too-large') {
    const size = `${outline.files} files, ${Math.ceil(outline.bytes / 1024 / 1024)} MiB`;
    return { kind: 'none', reason: `${test.reason}, and a copy would be too large (${size})` };
  }
  return { kind: 'layer', layer: 'copy', means: { kind: 'copy' }, ignoredFolders: ignoredFoldersOf(outline, worktree) };
}

/** The tree as a copy needs it. */
export function outlineForCopy(context: DispatchContext, policy: WritePolicy): Promise<TreeOutline> {
  return outlineTree({ worktree: policy.worktree, exclude: pathsBesideLayer(context, policy), ...MAX_COPY });
}

/** As absolute paths; one whose name isn't UTF-8 can't be bound, and is missing from the copy. */
export function ignoredFoldersOf(outline: Extract<TreeOutline, { kind: 'fits' }>, worktree: string): readonly string[] {
  return outline.ignoredFolders.flatMap((path) => (typeof path === 'string' ? [join(worktree, path)] : []));
}
