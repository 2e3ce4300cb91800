import type { WritePolicy } from '@bailiwick/write-policy';
import type { ChangeKind, JobContract, ObservedGitChange } from '../model.ts';
import { isInside } from './audit-paths.ts';
import type { Authorship } from './writers.ts';

const DONE: Readonly<Record<ChangeKind, string>> = {
  created: 'created',
  modified: 'modified',
  deleted: 'deleted',
  mode: 'given another mode or owner',
  type: 'replaced by another type of file',
};

/** What a violation of a path says: who, what, what was allowed, what to do. */
export function pathMessage(o: { shown: string; kind: ChangeKind; authorship: Authorship; self: JobContract }): string {
  const { shown, kind, authorship, self } = o;
  return `${shown} was ${DONE[kind]}${byWhom(authorship)}, and no policy of the batch allows it. ${allowedTo(self)} Look at the change, keep or undo it by hand, then dispatch anew.`;
}

/** What a violation of git's state says. */
export function gitMessage(o: { change: ObservedGitChange; authorship: Authorship; self: JobContract }): string {
  const { change, authorship, self } = o;
  const allowed =
    self.contract.policy.git === 'commit'
      ? 'Allowed are commits on top of the own branch.'
      : 'No change of git is allowed.';
  return `${gitPart(change)} ${fromTo(change)}${byWhom(authorship)}. ${allowed} Look at it with git, put it back if it is not wanted, then dispatch anew.`;
}

/** What a violation by a commit's content says. */
export function commitMessage(o: { shown: string; branch: string; authorship: Authorship; self: JobContract }): string {
  return `A commit on ${o.branch} changes ${o.shown}${byWhom(o.authorship)}, which no policy of the batch allows. ${allowedTo(o.self)} Look at the commit, drop it or keep it by hand, then dispatch anew.`;
}

/** `, by X`, or `, by X, Y or someone outside`. */
function byWhom({ candidates, author }: Authorship): string {
  if (author !== undefined) return ` by ${author.label}`;
  const labels = candidates.map(({ label }) => label);
  return labels.length === 0
    ? ''
    : `; it could have been ${[...labels, 'someone outside the batch'].join(', ').replace(/, ([^,]*)$/, ' or $1')}`;
}

function allowedTo({ label, contract }: JobContract): string {
  return `${label} may write ${describePolicy(contract.policy)}.`;
}

const MAX_NAMED = 4;

function describePolicy(policy: WritePolicy): string {
  if (policy.role !== 'implementer') return 'only the artifacts that it owes';
  if (policy.plannedPaths.length === 0) return `its worktree ${policy.worktree} and the artifacts that it owes`;
  const named = policy.plannedPaths.slice(0, MAX_NAMED).map((path) => relativeTo(path, policy.worktree));
  const more = policy.plannedPaths.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` (and ${more} more)` : ''}, and what its result declares as outOfPlanEdits`;
}

function relativeTo(path: string, folder: string): string {
  return isInside(path, folder) && path !== folder ? path.slice(folder.length + 1) : path;
}

function gitPart({ what, name, root }: ObservedGitChange): string {
  const names: Readonly<Record<ObservedGitChange['what'], string>> = {
    head: 'HEAD',
    ref: `The ref ${name}`,
    index: `The index entry ${name}`,
    stash: 'The stash',
    config: `The git configuration (${name})`,
    hook: `The hook ${name}`,
    exclude: 'info/exclude',
    attributes: 'info/attributes',
    worktree: `The work tree entry ${name}`,
    operation: `The git operation in progress (${name})`,
    repository: `The repository ${name}`,
    file: `The file ${name} in the git folder`,
  };
  return `${names[what]} of ${root}`;
}

function fromTo({ before, after }: ObservedGitChange): string {
  if (before === null) return `was made (${after})`;
  if (after === null) return `was removed (it was ${before})`;
  return `was changed (${before} → ${after})`;
}
