import { relative } from 'node:path';
import type { RunManifest } from '@bailiwick/dispatch-state';
import { displayPath, type PathName } from '@bailiwick/mutation-audit';

/** A changed path for a person, or undefined for what lies in a drop box: that is owed, and no change of the tree. */
export function shownPath(path: PathName, manifest: RunManifest): string | undefined {
  const shown = inWorkTree(displayPath(path), manifest);
  return isArtifact(shown) ? undefined : shown;
}

/** A path in the run's own worktree is shown as it would be called in the project. */
function inWorkTree(path: string, { worktree, projectRoot }: RunManifest): string {
  if (worktree === null) return path;
  const prefix = `${relative(projectRoot, worktree)}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function isArtifact(path: string): boolean {
  return path === '.bailiwick/out' || path.startsWith('.bailiwick/out/');
}
