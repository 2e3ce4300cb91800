import { isAbsolute } from 'node:path';
import { ProviderError } from './errors.ts';
import type { AgentCommand, AgentCommandRequest, AgentProvider, HomeFile } from './provider.ts';

/** What a provider adds to its declared facts to make a command. */
export interface CommandParts {
  readonly flags: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly homeFiles?: readonly HomeFile[];
}

type CommandFacts = Pick<
  AgentProvider,
  'id' | 'program' | 'promptDelivery' | 'session' | 'environment' | 'endpoint' | 'writeCapability'
>;

/** The command of a provider whose flags are known; refuses what the program would misread. */
export function buildCommand(facts: CommandFacts, request: AgentCommandRequest, parts: CommandParts): AgentCommand {
  checkRequest(facts, request);
  const { never } = facts.environment;
  const [program, ...leading] = request.command ?? [facts.program];
  if (program === undefined || program === '') throw invalid(facts.id, 'command', 'names no program');
  return {
    argv: [program, ...leading, ...parts.flags],
    // Some programs believe PWD rather than their working folder.
    env: { ...facts.environment.set, PWD: request.cwd, ...parts.env },
    unsetEnv: request.endpoint === undefined ? never : [...never, ...facts.environment.keys],
    stdin: facts.promptDelivery === 'stdin' ? { kind: 'prompt-file' } : { kind: 'none' },
    ...(parts.homeFiles === undefined ? {} : { homeFiles: parts.homeFiles }),
  };
}

/** The line that stands for the prompt where the program takes it as an argument only: it names the file. */
export function promptFileLine(promptPath: string): string {
  return `Your task is in the file ${promptPath} - read it in full and do exactly what it says.`;
}

function checkRequest(facts: CommandFacts, request: AgentCommandRequest): void {
  for (const [field, value] of Object.entries(flagValues(request))) {
    if (value.startsWith('-')) throw invalid(facts.id, field, `starts with "-" and would be read as a flag: ${value}`);
    if (/[\0\r\n]/.test(value)) throw invalid(facts.id, field, 'holds a line break or a NUL byte');
  }
  for (const path of [request.cwd, request.promptPath, ...request.writeRoots]) {
    if (!isAbsolute(path)) throw invalid(facts.id, 'path', `is not absolute: ${path}`);
  }
  if (facts.session === 'flag' && request.sessionId === '')
    throw invalid(facts.id, 'sessionId', 'is empty, and this program takes one');
  if (request.endpoint !== undefined && facts.endpoint === null) {
    throw invalid(facts.id, 'endpoint', 'is given, and this program can not be pointed at another model server');
  }
  if (request.ownSandbox === true && !facts.writeCapability.ownSandbox) {
    throw invalid(facts.id, 'ownSandbox', 'is asked for, and this program has no sandbox of its own');
  }
}

function flagValues(request: AgentCommandRequest): Record<string, string> {
  const roots = request.writeRoots.map((root, index) => [`writeRoots[${index}]`, root]);
  return {
    model: request.model,
    sessionId: request.sessionId,
    cwd: request.cwd,
    promptPath: request.promptPath,
    ...Object.fromEntries(roots),
  };
}

/** A request that the program would misread. */
export function invalid(providerId: string, field: string, what: string): ProviderError {
  return new ProviderError('REQUEST_INVALID', `${providerId}: ${field} ${what}`, {
    providerId,
    field,
    hint: `Fix ${field} of the request.`,
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** For programs that refuse any other session id. */
export function requireUuid(providerId: string, sessionId: string): void {
  if (!UUID.test(sessionId)) throw invalid(providerId, 'sessionId', `is no UUID: ${sessionId}`);
}
