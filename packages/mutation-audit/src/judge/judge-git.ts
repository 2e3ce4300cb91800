import { join } from 'node:path';
import { decidePath } from '@bailiwick/write-policy';
import type { Attribution, ExternalChange, JobContract, JudgeInput, ObservedGitChange } from '../model.ts';
import { displayPath } from '../path-name.ts';
import { pathText, projectPath } from './audit-paths.ts';
import { declaredPaths } from './declared-edits.ts';
import type { Charge } from './judge-paths.ts';
import { addresseeOf, commitMessage, gitMessage } from './messages.ts';
import { type Authorship, type Writers, weaker } from './writers.ts';

/** What the judgement of git's state yields. */
export interface GitJudgement {
  readonly charges: readonly Charge[];
  readonly external: readonly ExternalChange[];
  /** Git changed, by the judged job or not provably by another; fetched refs apart. */
  readonly isGitChanged: boolean;
  readonly grade: Attribution;
}

/** Judges every difference of git's state (MA-12): all must be equal, but for fetched refs, free places, and a permitted branch that advanced. */
export function judgeGit(input: JudgeInput, writers: Writers): GitJudgement {
  const charges: Charge[] = [];
  const external: ExternalChange[] = [];
  let isGitChanged = false;
  let grade: Attribution = 'none';
  for (const change of input.observation.git) {
    const path = projectPath(change.path, input.self.contract.policy.projectRoot);
    if (isFetched(change)) {
      external.push({ path, kind: 'git', reason: 'fetched-ref' });
      continue;
    }
    if (isOrchestrators(input, change) || isInFreePlace(input, change)) continue;
    const authorship = writers.authorshipOf(change.path);
    if (authorship.candidates.length === 0) {
      external.push({ path, kind: 'git', reason: 'no-worker-could' });
      continue;
    }
    if (!authorship.candidates.some(({ dispatchId }) => dispatchId === input.self.dispatchId)) continue;
    isGitChanged = true;
    grade = weaker(grade, authorship.grade);
    charges.push(...chargesOf(input, change, authorship));
  }
  return { charges, external, isGitChanged, grade };
}

/** A fetch, an IDE's too, moves these alone. */
function isFetched({ what, name, nested }: ObservedGitChange): boolean {
  return what === 'ref' && !nested && (name.startsWith('refs/remotes/') || name.startsWith('refs/prefetch/'));
}

function isOrchestrators({ orchestratorGit }: JudgeInput, change: ObservedGitChange): boolean {
  if (orchestratorGit === undefined) return false;
  return change.what === 'ref'
    ? orchestratorGit.refs.includes(change.name)
    : orchestratorGit.workTrees.includes(change.root);
}

/** A repository in an ignored, scratch or auxiliary place is no more than the files around it. */
function isInFreePlace(input: JudgeInput, change: ObservedGitChange): boolean {
  const jobs = [...input.batch, ...(input.liveElsewhere ?? [])];
  return jobs.some(({ contract }) => {
    const isAuxiliary = decidePath(contract.policy, change.root).area === 'auxiliary';
    if (isAuxiliary || !change.nested) return isAuxiliary;
    const { allowed, area } = decidePath(contract.policy, change.root, { ignored: change.ignored, folder: true });
    return allowed && (area === 'ignored' || area === 'scratch');
  });
}

function chargesOf(input: JudgeInput, change: ObservedGitChange, authorship: Authorship): readonly Charge[] {
  const { self } = input;
  const isKnown = authorship.author?.dispatchId === self.dispatchId;
  const jobs = [...input.batch, ...(input.liveElsewhere ?? [])];
  const committer = jobs.find((job) => isPermitted(input, job, change));
  const { projectRoot } = self.contract.policy;
  if (committer === undefined) {
    const message = gitMessage({ change, authorship, ...addresseeOf(input) });
    return [{ violation: { code: 'git-state', path: projectPath(change.path, projectRoot), message }, isKnown }];
  }
  return strayPaths(input, committer, change).map((path) => ({
    violation: {
      code: 'commit-outside-policy',
      path: projectPath(path, projectRoot),
      message: commitMessage({
        shown: displayPath(projectPath(path, projectRoot)),
        branch: change.name,
        authorship,
        ...addresseeOf(input),
      }),
    },
    isKnown,
  }));
}

/** Whether a change is what `git: commit` gives a job: its own branch one or more commits further, and its work tree's index with it. */
function isPermitted(input: JudgeInput, job: JobContract, change: ObservedGitChange): boolean {
  const { policy } = job.contract;
  if (policy.git !== 'commit') return false;
  const checkout = input.observation.gitProjection.before.repositories.find(({ root }) => root === policy.worktree);
  if (checkout === undefined || checkout.repository !== change.repository) return false;
  if (change.what === 'index') return change.root === policy.worktree && !hidesMore(change);
  if (change.what !== 'ref' || checkout.head !== `ref: ${change.name}` || change.after === null) return false;
  return change.before === null || change.advances === true;
}

/** An entry that begins to be assumed unchanged, or is skipped, hides its file from git. */
function hidesMore({ before, after }: ObservedGitChange): boolean {
  const hiding = (value: string | null): boolean => value !== null && / [an]*[as]+n?$/.test(value);
  return hiding(after) && !hiding(before);
}

function strayPaths(input: JudgeInput, job: JobContract, change: ObservedGitChange): readonly string[] {
  const { policy } = job.contract;
  const declared = declaredPaths(input);
  return (change.committedPaths ?? [])
    .map((path) => join(policy.worktree, pathText(path)))
    .filter((path) => !decidePath(policy, path).allowed && declared.get(path) !== job);
}
