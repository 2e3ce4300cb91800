import { type AgentProvider, providers, unsupportedProviders } from '@bailiwick/agent-providers';
import type { BoundaryMode } from '@bailiwick/dispatch';
import { type BoundaryTest, findExecutable, testBoundary, testStart } from '@bailiwick/process-supervision';
import { examineCommit } from './examine-commit.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { versionOf } from './version-of.ts';

/** A program may unpack itself into every fresh HOME before it answers. */
const START_TIMEOUT_MS = 30_000;

/** What is asked of the agents on this machine. */
export interface AgentsQuestion {
  /** The user's own, by provider. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly path: string;
  readonly mode: BoundaryMode;
  /** What agents inherit. */
  readonly environment: Readonly<Record<string, string>>;
  readonly userHome: string;
  readonly attemptsFolder: string;
}

/**
 * Findings for each agent program that is here: its version, whether it starts where it will run, and whether it could
 * commit there. No model is called.
 */
export async function examineAgents(question: AgentsQuestion): Promise<readonly Finding[]> {
  const known = await Promise.all([...providers.values()].map((provider) => examineAgent(provider, question)));
  const refused = await Promise.all([...unsupportedProviders].map((row) => examineUnsupported(row, question.path)));
  const found = known.flat();
  return [...found, ...refused.filter((finding) => finding !== null), ...(found.length === 0 ? [NO_AGENT_AT_ALL] : [])];
}

async function examineAgent(provider: AgentProvider, question: AgentsQuestion): Promise<readonly Finding[]> {
  const { commands, path, mode } = question;
  const own = commands[provider.id];
  if ((await findExecutable(own?.[0] ?? provider.program, path)) === undefined) return [];
  const boundary = mode === 'off' ? undefined : await testBoundary({ path });
  const started = own === undefined ? await tryStart(provider, boundary, path) : startedAs(provider, own);
  // what doesn't start commits nothing either
  if (started.level !== 'ok') return [started];
  return [started, await examineCommit(provider, { ...question, boundary }, own !== undefined)];
}

function startedAs({ id }: AgentProvider, own: readonly string[]): Finding {
  return ok(`agent ${id}`, `started as ${own.join(' ')}`);
}

function tryStart(provider: AgentProvider, boundary: BoundaryTest | undefined, path: string): Promise<Finding> {
  return boundary?.kind === 'works' ? tryInBoundary(provider, boundary.program, path) : askVersion(provider, path);
}

async function tryInBoundary(provider: AgentProvider, program: string, path: string): Promise<Finding> {
  const { variable } = provider.home;
  const test = await testStart({
    program,
    command: versionCommand(provider),
    path,
    unsetEnv: variable === null ? [] : [variable],
    timeoutMs: START_TIMEOUT_MS,
  });
  const check = `agent ${provider.id}`;
  if (test.kind === 'starts')
    return ok(check, `${seen(provider, test.output)}; starts in the boundary, with a HOME of its own`);
  return warn(check, `doesn't start in the boundary: ${test.reason}`, byHand(provider));
}

async function askVersion(provider: AgentProvider, path: string): Promise<Finding> {
  const version = await versionOf(versionCommand(provider), path);
  const check = `agent ${provider.id}`;
  return version === undefined
    ? warn(check, 'does not tell its version', byHand(provider))
    : ok(check, seen(provider, version));
}

/** The version, and the one that all is known of where that is another. */
function seen({ observedVersion }: AgentProvider, output: string): string {
  const version = output.split('\n')[0] ?? '';
  if (observedVersion === null || version.includes(observedVersion)) return version;
  return `${version}; what is known of it was seen with ${observedVersion}`;
}

function versionCommand({ program, versionArgs }: AgentProvider): readonly string[] {
  return [program, ...(versionArgs ?? ['--version'])];
}

function byHand(provider: AgentProvider): string {
  return `try \`${versionCommand(provider).join(' ')}\` by hand`;
}

async function examineUnsupported([id, reason]: readonly [string, string], path: string): Promise<Finding | null> {
  if ((await findExecutable(id, path)) === undefined) return null;
  return warn(`agent ${id}`, `is here, and can't be dispatched: ${reason}`, 'name another agent in the config');
}

const NO_AGENT_AT_ALL = fail(
  'agents',
  'no agent CLI was found',
  `install one of: ${[...providers.keys()].filter((id) => id !== 'custom').join(', ')}`,
);
