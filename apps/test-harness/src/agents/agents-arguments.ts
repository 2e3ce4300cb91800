import { parseArgs } from 'node:util';
import { AGENT_PROGRAMS, type AgentProgram } from './agent-program.ts';
import { AGENT_SCENARIOS, type AgentScenario } from './agent-scenario.ts';

export interface AgentsArguments {
  /** Those that are named; else every one. */
  readonly programs: readonly AgentProgram[];
  /** Programs that aren't free are run only where they are named. */
  readonly isNamed: boolean;
  readonly scenarios: readonly AgentScenario[];
  readonly isJson: boolean;
  /** Programs that can't be had are no failure, were it all of them. */
  readonly isOptional: boolean;
  /** Loopback is the only network, and what a program tries to reach beyond it is counted. Nothing can be installed then. */
  readonly isLoopbackOnly: boolean;
  /** Where the log of each cell's last attempt is copied to; absent: nowhere. */
  readonly logsFolder?: string;
}

export const AGENTS_USAGE = `agents [${AGENT_PROGRAMS.map(({ id }) => id).join('|')}…] [--scenario NAME…] [--optional] [--loopback-only] [--logs FOLDER] [--json]`;

/** Reads the arguments of `agents`; undefined where they aren't its own. */
export function parseAgentsArguments(args: readonly string[]): AgentsArguments | undefined {
  const parsed = parsedOf(args);
  if (parsed === undefined) return undefined;
  const { positionals, values } = parsed;
  const programs = AGENT_PROGRAMS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const wanted = values.scenario ?? [];
  const scenarios = AGENT_SCENARIOS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const isKnown =
    positionals.every((id) => programs.some((program) => program.id === id)) &&
    wanted.every((name) => scenarios.some((scenario) => scenario.name === name));
  if (!isKnown) return undefined;
  const { json: isJson = false, optional: isOptional = false, 'loopback-only': isLoopbackOnly = false } = values;
  const logs = values.logs === undefined ? {} : { logsFolder: values.logs };
  return { programs, isNamed: positionals.length > 0, scenarios, isJson, isOptional, isLoopbackOnly, ...logs };
}

function parsedOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scenario: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        optional: { type: 'boolean' },
        'loopback-only': { type: 'boolean' },
        logs: { type: 'string' },
      },
    });
  } catch {
    return undefined; // an option that isn't one of ours
  }
}
