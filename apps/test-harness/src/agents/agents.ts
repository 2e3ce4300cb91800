import { findProvider } from '@bailiwick/agent-providers';
import pc from 'picocolors';
import type { AgentProgram } from './agent-program.ts';
import type { AgentScenario } from './agent-scenario.ts';
import { AGENTS_USAGE, type AgentsArguments, parseAgentsArguments } from './agents-arguments.ts';
import { agentsTable } from './agents-table.ts';
import { installAgent } from './install-agent.ts';
import { countUnrouted, hasLoopbackOnly, runLoopbackOnly } from './loopback-only.ts';
import { type Judged, runAgentScenario } from './run-agent-scenario.ts';

/** One cell of the matrix. */
export interface AgentResult {
  readonly agent: string;
  readonly version: string;
  readonly scenario: string;
  readonly outcome: string;
  readonly holds: boolean;
  /** Why it wasn't run; null where it was. */
  readonly skipped: string | null;
}

/** Fewer prove nothing about what is common to all. */
const MIN_PROGRAMS = 2;

/** The command of that name: a line per cell on stderr, then a table, or JSON. A matrix of fewer than two programs doesn't hold. */
export async function agents(args: readonly string[]): Promise<number> {
  const parsed = parseAgentsArguments(args);
  if (parsed === undefined) {
    process.stderr.write(`usage: bailiwick-harness ${AGENTS_USAGE}\n`);
    return 2;
  }
  if (parsed.isLoopbackOnly && !(await hasLoopbackOnly())) return runThere(args);
  const results = await runAgents(parsed);
  process.stdout.write(parsed.isJson ? `${JSON.stringify(results)}\n` : agentsTable(results));
  return doHold(results, parsed) ? 0 : 1;
}

function runThere(args: readonly string[]): Promise<number> {
  return runLoopbackOnly([process.execPath, ...process.execArgv, ...process.argv.slice(1, 2), 'agents', ...args]);
}

/** Every program in every scenario, one after another; what can't be had is skipped by name. */
export async function runAgents(asked: AgentsArguments): Promise<readonly AgentResult[]> {
  const results: AgentResult[] = [];
  for (const program of asked.programs) results.push(...(await runProgram(program, asked)));
  return results;
}

async function runProgram(program: AgentProgram, asked: AgentsArguments): Promise<readonly AgentResult[]> {
  const skip = (reason: string): readonly AgentResult[] => {
    process.stderr.write(`– ${program.id} ${program.version}: ${reason}\n`);
    return asked.scenarios.map((scenario) => ({
      ...cellOf(program, scenario),
      outcome: '',
      holds: false,
      skipped: reason,
    }));
  };
  if (program.licence === null && !asked.isNamed) return skip('not freely licensed: run where it is named');
  const installation = await installAgent(program);
  if (installation.kind === 'missing') return skip(installation.reason);
  const results: AgentResult[] = [];
  for (const scenario of asked.scenarios)
    results.push(await runCell(program, installation.command, { scenario, ...asked }));
  return results;
}

type CellOptions = Pick<AgentsArguments, 'logsFolder' | 'isLoopbackOnly'> & { readonly scenario: AgentScenario };

async function runCell(
  program: AgentProgram,
  command: readonly string[],
  { scenario, logsFolder, isLoopbackOnly }: CellOptions,
): Promise<AgentResult> {
  const startedMs = performance.now();
  const unroutedBefore = await countUnrouted();
  const judged = runAgentScenario(program, command, scenario, logsFolder);
  const ran = await judged.catch((error: unknown) => ({
    outcome: 'the harness failed',
    holds: false,
    why: [error instanceof Error ? error.message : String(error)],
  }));
  const attempts = isLoopbackOnly ? (await countUnrouted()) - unroutedBefore : 0;
  const { outcome, holds, why } = withAttempts(ran, program, attempts);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const mark = holds ? pc.green('✓') : pc.red('✗');
  process.stderr.write(
    `${[`${mark} ${program.id} ${program.version}: ${scenario.name} (${seconds} s) ${outcome}`, ...why].join('\n    ')}\n`,
  );
  return { ...cellOf(program, scenario), outcome: [outcome, ...why].join('; '), holds, skipped: null };
}

/** An attempt to reach more than loopback is a finding, unless the program's provider says that it makes some. */
function withAttempts(ran: Judged, { id }: AgentProgram, attempts: number): Judged {
  if (attempts === 0) return ran;
  const known = findProvider(id).networkAttempts;
  const finding = `${attempts} attempts to reach more than loopback, known: ${known.join(', ') || 'none'}`;
  return { outcome: ran.outcome, holds: ran.holds && known.length > 0, why: [...ran.why, finding] };
}

function cellOf({ id, version }: AgentProgram, { name }: AgentScenario) {
  return { agent: id, version, scenario: name };
}

/** A program that was named alone is judged alone. */
function doHold(results: readonly AgentResult[], { programs, isOptional }: AgentsArguments): boolean {
  const run = results.filter(({ skipped }) => skipped === null);
  const needed = isOptional ? 0 : Math.min(MIN_PROGRAMS, programs.length);
  return new Set(run.map(({ agent }) => agent)).size >= needed && run.every(({ holds }) => holds);
}
