import type { AgentProvider } from '@bailiwick/agent-providers';
import { agentEnvironment } from '@bailiwick/dispatch';
import { type AttemptTrialEnd, type BoundaryTest, tryAsAttempt } from '@bailiwick/process-supervision';
import { compileBoundary, gitCommitPlaces } from '@bailiwick/write-policy';
import { type Finding, ok, warn } from './finding.ts';
import { type ProbeRepository, withProbeRepository } from './probe-repository.ts';

/** What commits are tried with on this machine. */
export interface CommitQuestion {
  /** What agents inherit, PATH with it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly userHome: string;
  readonly attemptsFolder: string;
  /** Undefined where boundaries are switched off. */
  readonly boundary: BoundaryTest | undefined;
}

/** Where a commit is tried, and what is to be said of the agent's own sandbox besides. */
interface CommitPlace {
  readonly words: string;
  readonly usesOwnSandbox: boolean;
  readonly usesBoundary: boolean;
}

/** A program may unpack itself into every fresh HOME before it runs anything. */
const COMMIT_TIMEOUT_MS = 30_000;
/** What git says last where it knows no author; its translations are other words, and get the general advice. */
const NO_AUTHOR = /auto-detect email|empty ident|ident name/;

/**
 * Whether an agent that may commit can do so where it will run: a real commit in a linked worktree of a repository that
 * is thrown away, in the boundary where there is one, and in the program's own sandbox where that is in force and can be
 * had without a model. Where it can't, the finding says so.
 */
export async function examineCommit(
  provider: AgentProvider,
  question: CommitQuestion,
  isReplaced: boolean,
): Promise<Finding> {
  const check = `commit ${provider.id}`;
  const place = placeOf(provider, question.boundary, isReplaced);
  const end = await tryCommit(provider, question, place);
  return end.kind === 'ended-well'
    ? ok(check, `works in a linked worktree, ${place.words}`)
    : warn(check, `fails in a linked worktree, ${place.words}: ${end.reason}`, adviceOn(end.reason));
}

function adviceOn(reason: string): string {
  if (NO_AUTHOR.test(reason)) return 'tell git who you are: `git config --global user.name`, and `user.email`';
  return 'leave `git` in the config at `none`: an agent that may commit would fail there';
}

/** Its own sandbox is tried where it is in force and can be had without a model, else whatever else holds it. */
function placeOf(provider: AgentProvider, boundary: BoundaryTest | undefined, isReplaced: boolean): CommitPlace {
  const { ownSandbox, ownSandboxByDefault } = provider.writeCapability;
  const isOn = ownSandbox && ownSandboxByDefault && !isReplaced;
  const usesBoundary = boundary?.kind === 'works';
  const isLeftOut = isOn && usesBoundary && !boundary.nests;
  if (isOn && !isLeftOut && provider.sandboxed !== undefined) {
    const words = `in its own sandbox${usesBoundary ? ' inside the boundary' : ''}`;
    return { words, usesOwnSandbox: true, usesBoundary };
  }
  const where = usesBoundary ? 'in the boundary' : 'where no boundary holds it';
  const remark = isLeftOut ? 'its own sandbox can’t start there, and is off' : remarkOf(provider, isReplaced);
  return { words: `${where}; ${remark}`, usesOwnSandbox: false, usesBoundary };
}

/** Why its own sandbox isn't tried. */
function remarkOf({ writeCapability }: AgentProvider, isReplaced: boolean): string {
  if (isReplaced) return 'what a command of yours confines isn’t known';
  if (!writeCapability.ownSandbox) return 'it has no sandbox of its own';
  return writeCapability.ownSandboxByDefault
    ? 'it has no way to try its own sandbox without a model'
    : 'its own sandbox is off for workers';
}

async function tryCommit(
  provider: AgentProvider,
  question: CommitQuestion,
  place: CommitPlace,
): Promise<AttemptTrialEnd> {
  const { attemptsFolder, environment } = question;
  try {
    return await withProbeRepository({ attemptsFolder, path: environment['PATH'] ?? '' }, async (repository) => {
      const end = await commitIn(repository, provider, { question, place });
      if (end.kind === 'failed' || (await repository.hasNewCommit())) return end;
      return { kind: 'failed', reason: 'git said that it had committed, and nothing is there' };
    });
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

function commitIn(
  { worktree, policy, git, ownFolder }: ProbeRepository,
  provider: AgentProvider,
  { question, place }: { readonly question: CommitQuestion; readonly place: CommitPlace },
): Promise<AttemptTrialEnd> {
  const { boundary, userHome } = question;
  const request = { cwd: worktree, writeRoots: gitCommitPlaces(git).writable, argv: COMMIT };
  const isConfined = place.usesBoundary && boundary?.kind === 'works';
  return tryAsAttempt({
    argv: (place.usesOwnSandbox ? provider.sandboxed?.(request) : undefined) ?? COMMIT,
    env: environmentOf(provider, question, worktree),
    cwd: worktree,
    boundary: isConfined ? { program: boundary.program, ...compileBoundary(policy, { git }) } : null,
    folder: ownFolder,
    userHome,
    timeoutMs: COMMIT_TIMEOUT_MS,
  });
}

/** With the author that the user's git has, as an agent's commits would be; hooks are programs of the user's, and none of this. */
const COMMIT = [
  'sh',
  '-c',
  'echo tried > tried.txt && git add tried.txt && git -c core.hooksPath=/dev/null commit --quiet --message tried',
];

/** What the agent would inherit; its keys have no use without a model, and its folder is in the HOME that it gets. */
function environmentOf(
  { environment, home }: AgentProvider,
  question: CommitQuestion,
  worktree: string,
): Readonly<Record<string, string>> {
  const unsetEnv = [...environment.never, ...environment.keys, ...(home.variable === null ? [] : [home.variable])];
  return agentEnvironment(question.environment, { env: { ...environment.set, PWD: worktree }, unsetEnv });
}
