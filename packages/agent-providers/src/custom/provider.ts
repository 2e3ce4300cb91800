import { buildCommand, promptFileLine } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED } from '../environment.ts';
import { ProviderError } from '../errors.ts';
import type { AgentCommand, AgentCommandRequest, AgentProvider } from '../provider.ts';
import { customReader } from './reader.ts';

/** Any command that a user declares. Only the command is needed. */
export interface CustomDeclaration {
  /** `custom` when absent. */
  readonly id?: string;
  readonly displayName?: string;
  /**
   * Program and arguments. `{model}`, `{promptPath}`, `{cwd}` and `{role}` are replaced wherever they stand; an argument
   * that holds `{writeRoot}` is repeated for each write root. Absent: each request must bring its command.
   */
  readonly command?: readonly string[];
  /** `stdin` when absent. With `file-line` and no `{promptPath}`, one line that names the file is appended. */
  readonly promptDelivery?: 'stdin' | 'file-line';
  readonly maxPromptBytes?: number;
  /** Names of variables that the command has a use for, besides the usual ones. */
  readonly environmentNeeds?: readonly string[];
}

const DEFAULT_MAX_PROMPT_BYTES = 10_000_000;
const ID = /^[a-z][a-z0-9-]{0,63}$/;

/** A provider for a declared command. Throws ProviderError DECLARATION_INVALID, with the field. */
export function customProvider(declaration: CustomDeclaration = {}): AgentProvider {
  checkDeclaration(declaration);
  const id = declaration.id ?? 'custom';
  const provider: AgentProvider = {
    id,
    displayName: declaration.displayName ?? id,
    program: declaration.command?.[0] ?? '',
    versionArgs: null,
    observedVersion: null,
    npmPackage: null,
    promptDelivery: declaration.promptDelivery ?? 'stdin',
    maxPromptBytes: declaration.maxPromptBytes ?? DEFAULT_MAX_PROMPT_BYTES,
    session: 'none',
    repeatedSession: 'not-applicable',
    modelBy: { kind: 'environment', variable: 'BAILIWICK_MODEL' },
    writeCapability: {
      maxBoundaryPrecision: 'none',
      ownSandbox: false,
      ownSandboxByDefault: false,
      remarks: ['Nothing is known about what the command confines.'],
    },
    environment: {
      needs: [...ALWAYS_NEEDED, ...(declaration.environmentNeeds ?? [])],
      keys: [],
      never: NEVER_INHERITED,
      set: {},
    },
    streamFormat: 'text',
    servedModelSource: 'none',
    usageSource: 'none',
    endpoint: null,
    endEvidence: 'exit-code',
    exitCodes: [{ code: 0, meaning: 'success' }],
    leftovers: [],
    home: { privateHome: true, variable: null, loginPaths: [], remarks: [] },
    networkAttempts: [],
    command: (request) => commandOf(provider, declaration, request),
    reader: customReader,
  };
  return provider;
}

function commandOf(
  provider: AgentProvider,
  declaration: CustomDeclaration,
  request: AgentCommandRequest,
): AgentCommand {
  const template = request.command ?? declaration.command ?? [];
  const argv = template.flatMap((argument) => filledIn(argument, request));
  const isNamed = template.some((argument) => argument.includes('{promptPath}'));
  const wantsLine = provider.promptDelivery === 'file-line' && !isNamed;
  return buildCommand(
    provider,
    { ...request, command: argv },
    {
      flags: wantsLine ? [promptFileLine(request.promptPath)] : [],
      env: { BAILIWICK_MODEL: request.model, BAILIWICK_PROMPT_PATH: request.promptPath, BAILIWICK_ROLE: request.role },
    },
  );
}

function filledIn(argument: string, request: AgentCommandRequest): readonly string[] {
  const roots = argument.includes('{writeRoot}') ? request.writeRoots : [''];
  return roots.map((writeRoot) => {
    const values: Record<string, string> = { ...placeholders(request), writeRoot };
    return argument.replace(
      /\{(model|promptPath|cwd|role|writeRoot)\}/g,
      (whole, name: string) => values[name] ?? whole,
    );
  });
}

function placeholders(request: AgentCommandRequest): Record<string, string> {
  return { model: request.model, promptPath: request.promptPath, cwd: request.cwd, role: request.role };
}

function checkDeclaration(declaration: CustomDeclaration): void {
  const { id, command, maxPromptBytes } = declaration;
  if (id !== undefined && !ID.test(id))
    throw badDeclaration('id', `must be a short lower-case name, and is ${JSON.stringify(id)}`);
  if (command !== undefined && (command[0] ?? '') === '') throw badDeclaration('command', 'names no program');
  if (command?.some((argument) => argument.includes('\0'))) throw badDeclaration('command', 'holds a NUL byte');
  if (maxPromptBytes !== undefined && !(Number.isSafeInteger(maxPromptBytes) && maxPromptBytes > 0)) {
    throw badDeclaration('maxPromptBytes', `must be a positive whole number, and is ${maxPromptBytes}`);
  }
}

function badDeclaration(field: string, what: string): ProviderError {
  return new ProviderError('DECLARATION_INVALID', `custom provider: ${field} ${what}`, {
    field,
    hint: `Fix ${field} in the declaration.`,
  });
}
