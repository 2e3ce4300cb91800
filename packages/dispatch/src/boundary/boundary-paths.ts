import { dirname } from 'node:path';
import type { AgentProvider } from '@bailiwick/agent-providers';
import { isFolder } from '@bailiwick/durable-files';
import {
  findNestedGit,
  lookAtPaths,
  type MountRequest,
  pathsToLookAt,
  planMounts,
} from '@bailiwick/process-supervision';
import { compileBoundary, type GitCommitFacts, type WritePolicy, writeRootsOf } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { orchestratorPathsOf } from '../contract/orchestrator-paths.ts';
import { gitCommitFacts } from './git-commit-facts.ts';
import type { BoundarySetting } from './setting.ts';

export interface BoundaryQuestion {
  readonly policy: WritePolicy;
  /** Policies of all that may be alive at the same time. */
  readonly others: readonly WritePolicy[];
  readonly provider: Pick<AgentProvider, 'home'>;
  /** The invocation's drop box: made between draft and launch. */
  readonly dropBoxPath: string;
  /** Absent: the worktree is no throw-away layer. */
  readonly layer?: { readonly ignoredFolders: readonly string[] };
}

/** A policy's boundary in paths that exist, and what it comes to. */
export interface BoundaryPaths extends MountRequest {
  /** What is open beyond the compiled boundary: folders above what doesn't exist yet, a HOME that can't be private, logins. */
  readonly wider: readonly string[];
  /** What should be locked and can't be. */
  readonly leftOut: readonly string[];
  readonly git: GitCommitFacts | undefined;
  readonly logins: readonly { readonly source: string; readonly below: string }[];
  /** Why it can't be put in force; null where it can. */
  readonly refusal: string | null;
}

/**
 * Compiles a policy against the disk as it is now (WP-8). What doesn't exist yet, or isn't a folder that things can be
 * renamed in, opens the folder above it.
 */
export async function boundaryPathsOf(
  context: DispatchContext,
  setting: BoundarySetting,
  question: BoundaryQuestion,
): Promise<BoundaryPaths> {
  const { policy, others, provider, dropBoxPath, layer } = question;
  const git = await gitOf(context, policy);
  const compiled = compileBoundary(policy, {
    others,
    orchestrator: orchestratorPathsOf(context),
    neverFound: await nestedGitOf(question),
    layer: layer !== undefined,
    ...(git === undefined ? {} : { git }),
  });
  const opened = await openedFolders(compiled.writable, question);
  const home = provider.home.privateHome ? [] : [setting.userHome];
  const logins = provider.home.privateHome ? loginsOf(context, setting, provider) : [];
  const writable = [...new Set([...opened, ...home])];
  const readOnly = [...compiled.readOnly, ...(layer?.ignoredFolders ?? []), setting.attemptsFolder];
  const held = await holdable({
    writable: writable.filter((path) => path !== dropBoxPath),
    readOnly,
    ...(layer === undefined ? {} : { layer: policy.worktree }),
  });
  const found = await lookAtPaths(logins.map(({ source }) => source));
  return {
    writable,
    readOnly,
    wider: [
      ...opened.filter((path) => !compiled.writable.includes(path)),
      ...home,
      ...logins.map(({ source }) => source).filter((path) => found.get(path)?.kind !== 'missing'),
    ],
    leftOut: held.leftOut,
    git,
    logins,
    refusal: held.refusal,
  };
}

/** What is written in a layer lasts nowhere, so that a repository there needs no lock. */
async function nestedGitOf({ policy, layer }: BoundaryQuestion): Promise<readonly string[]> {
  if (layer === undefined) return findNestedGit(policy.worktree);
  const lasting = writeRootsOf(policy, { layer: true }).filter((path) => isIn(path, policy.worktree));
  return (await Promise.all(lasting.map((path) => findNestedGit(path)))).flat();
}

/** In a layer only what is there already can last; anything else is the layer's. */
async function openedFolders(paths: readonly string[], question: BoundaryQuestion): Promise<readonly string[]> {
  const { policy, dropBoxPath, layer } = question;
  const opened = await Promise.all(
    paths.map(async (path) => {
      if (path === dropBoxPath) return [path];
      if (layer === undefined || !isIn(path, policy.worktree)) return [await openable(path)];
      return (await isFolder(path)) ? [path] : [];
    }),
  );
  return opened.flat();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Where the git of a policy that may commit keeps its things. */
export async function gitOf(
  context: Pick<DispatchContext, 'gitCommonDirectory'>,
  policy: WritePolicy,
): Promise<GitCommitFacts | undefined> {
  const { gitCommonDirectory } = context;
  if (policy.git !== 'commit' || gitCommonDirectory === null) return undefined;
  return gitCommitFacts(policy.worktree, gitCommonDirectory);
}

/** A path that is a folder, or the nearest one above it. A link stays as it is, to be refused. */
async function openable(path: string): Promise<string> {
  const facts = (await lookAtPaths([path])).get(path);
  const isFinal = facts === undefined || facts.kind === 'folder' || !facts.isReal || dirname(path) === path;
  return isFinal ? path : openable(dirname(path));
}

async function holdable(request: MountRequest): Promise<Pick<BoundaryPaths, 'leftOut' | 'refusal'>> {
  const plan = planMounts(request, await lookAtPaths(pathsToLookAt(request)));
  return plan.kind === 'refused' ? { leftOut: [], refusal: plan.reason } : { leftOut: plan.leftOut, refusal: null };
}

/** Where a provider's login lies: below HOME, or where its own variable has moved its folder. */
function loginsOf(
  { agentEnvironment }: DispatchContext,
  { userHome }: BoundarySetting,
  { home }: Pick<AgentProvider, 'home'>,
): BoundaryPaths['logins'] {
  const moved = home.variable === null ? undefined : agentEnvironment[home.variable];
  return home.loginPaths.map((below) => {
    const [, ...rest] = below.split('/');
    const isMoved = moved?.startsWith('/') === true && rest.length > 0;
    return { source: isMoved ? `${moved}/${rest.join('/')}` : `${userHome}/${below}`, below };
  });
}
