import type { WritePolicy } from '@bailiwick/write-policy';
import type { ChangeKind, JobContract, JudgeInput, ObservedGitChange } from '../model.ts';
import { isInside } from './audit-paths.ts';
import type { Authorship } from './writers.ts';

const DONE: Readonly<Record<ChangeKind, string>> = {
  created: 'created',
  modified: 'modified',
  deleted: 'deleted',
  mode: 'given another mode or owner',
  type: 'replaced by another type of file',
};

/** The job that a message is for. */
interface Addressee {
  readonly self: JobContract;
  /** It hands in a result, which may declare edits outside the plan (MA-4): a worker does, a bare command doesn't. */
  readonly handsIn: boolean;
}

/** Whom the messages of a judgement are for: a job has an entry among the declared edits where it hands in a result. */
export function addresseeOf({ self, declaredEdits }: Pick<JudgeInput, 'self' | 'declaredEdits'>): Addressee {
  return { self, handsIn: declaredEdits.has(self.dispatchId) };
}

/** What a violation of a path says: who, what, what was allowed, what to do. */
export function pathMessage(o: Addressee & { shown: string; kind: ChangeKind; authorship: Authorship }): string {
  const { shown, kind } = o;
  const denied = o.handsIn ? 'no policy of the batch allows it' : 'its policy does not allow it';
  return `${shown} was ${DONE[kind]}${byWhom(o)}, and ${denied}. ${allowedTo(o)} Look at the change, keep or undo it by hand, ${again(o)}.`;
}

/** What a violation of git's state says. */
export function gitMessage(o: Addressee & { change: ObservedGitChange; authorship: Authorship }): string {
  const { change, self } = o;
  const allowed =
    self.contract.policy.git === 'commit'
      ? 'Allowed are commits on top of the own branch.'
      : 'No change of git is allowed.';
  return `${gitPart(change)} ${fromTo(change)}${byWhom(o)}. ${allowed} Look at it with git, put it back if it is not wanted, ${again(o)}.`;
}

/** What a violation by a commit's content says. */
export function commitMessage(o: Addressee & { shown: string; branch: string; authorship: Authorship }): string {
  return `A commit on ${o.branch} changes ${o.shown}${byWhom(o)}, which no policy of the batch allows. ${allowedTo(o)} Look at the commit, drop it or keep it by hand, ${again(o)}.`;
}

function again({ handsIn }: Addressee): string {
  return handsIn ? 'then dispatch anew' : 'then run it anew';
}

/** `, by X`, or `, by X, Y or someone outside`. */
function byWhom({ authorship, handsIn }: Addressee & { authorship: Authorship }): string {
  const { candidates, author } = authorship;
  if (author !== undefined) return ` by ${author.label}`;
  const labels = candidates.map(({ label }) => label);
  return labels.length === 0
    ? ''
    : `; it could have been ${[...labels, handsIn ? 'someone outside the batch' : 'somebody else'].join(', ').replace(/, ([^,]*)$/, ' or $1')}`;
}

function allowedTo({ self, handsIn }: Addressee): string {
  return `${self.label} may write ${describePolicy(self.contract.policy, handsIn)}.`;
}

const MAX_NAMED = 4;

function describePolicy(policy: WritePolicy, handsIn: boolean): string {
  if (policy.role !== 'implementer') return handsIn ? 'only the artifacts that it owes' : 'nothing';
  if (policy.plannedPaths.length === 0)
    return `its worktree ${policy.worktree}${handsIn ? ' and the artifacts that it owes' : ''}`;
  const named = policy.plannedPaths.slice(0, MAX_NAMED).map((path) => relativeTo(path, policy.worktree));
  const more = policy.plannedPaths.length - named.length;
  const declared = handsIn ? ', and what its result declares as outOfPlanEdits' : '';
  return `${named.join(', ')}${more > 0 ? ` (and ${more} more)` : ''}${declared}`;
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
