import { buildCommand, requireUuid } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider } from '../provider.ts';
import { copilotReader } from './reader.ts';

const KEYS = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY'];

/**
 * Without the first every tool call is denied. Without the second a command is denied whole, since there's nobody to ask, where one of its
 * words looks like a path elsewhere: text such as `// why`, or a header below /usr/include that is only read.
 * https://github.com/github/copilot-cli/issues/1015
 */
const UNATTENDED = ['--allow-all-tools', '--allow-all-paths'];

/** GitHub Copilot CLI. Facts: 1.0.102 on Linux, with a model server of one's own, 2026-11-29. */
export const copilot: AgentProvider = {
  id: 'copilot',
  displayName: 'GitHub Copilot CLI',
  program: 'copilot',
  versionArgs: ['--version'],
  observedVersion: '1.0.102',
  npmPackage: '@github/copilot',
  promptDelivery: 'stdin',
  // It refuses what it takes for more than 128,000 tokens.
  maxPromptBytes: 380_000,
  session: 'flag',
  // silently, so an id must never be given twice
  repeatedSession: 'continues',
  modelBy: { kind: 'environment', variable: 'COPILOT_MODEL' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: ['It writes anywhere: its own check of paths only guesses at them, is no wall to a script, and is off.'],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'COPILOT_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
    keys: KEYS,
    never: [...NEVER_INHERITED, 'COPILOT_ALLOW_ALL'],
    set: { ...PLAIN_OUTPUT, COPILOT_AUTO_UPDATE: 'false' },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'none',
  // Tokens are in its session folder only.
  usageSource: 'none',
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, or ended by SIGTERM, even in the middle of an answer' },
    { code: 1, meaning: 'model error, prompt too large, or refused flag' },
  ],
  leftovers: [
    'the npm loader dies on a signal while the program behind it goes on; the platform binary takes signals well',
  ],
  home: {
    privateHome: true,
    variable: 'COPILOT_HOME',
    loginPaths: ['.copilot/config.json'],
    remarks: [
      'unpacks 235 MB into the cache of every fresh HOME: share XDG_CACHE_HOME between attempts',
      'hangs with a HOME that is missing or not writable',
    ],
  },
  networkAttempts: ['api.github.com, unless an endpoint is given'],
  command: (request) => buildCommand(copilot, request, { flags: flags(request), env: variables(request) }),
  reader: copilotReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  requireUuid('copilot', request.sessionId);
  return [
    '--output-format',
    'json',
    ...(request.unattendedWrites ? UNATTENDED : []),
    '--no-auto-update',
    '--no-ask-user',
    '--session-id',
    request.sessionId,
    ...request.writeRoots.map((root) => `--add-dir=${root}`),
  ];
}

function variables({ endpoint, model }: AgentCommandRequest): Record<string, string> {
  if (endpoint === undefined) return { COPILOT_MODEL: model };
  return {
    COPILOT_MODEL: model,
    COPILOT_PROVIDER_BASE_URL: `${endpoint.url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_PROVIDER_API_KEY: endpoint.apiKey,
    COPILOT_OFFLINE: 'true',
  };
}
