import { buildCommand, invalid } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider } from '../provider.ts';
import { opencodeReader } from './reader.ts';

const KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENCODE_API_KEY',
];
/** The provider that its configuration gets when an endpoint is given. */
const ENDPOINT_PROVIDER = 'bailiwick';

/** OpenCode. Facts: 1.18.33 on Linux, 2026-11-29. */
export const opencode: AgentProvider = {
  id: 'opencode',
  displayName: 'OpenCode',
  program: 'opencode',
  versionArgs: ['--version'],
  observedVersion: '1.18.33',
  npmPackage: 'opencode-ai',
  promptDelivery: 'stdin',
  maxPromptBytes: 10_000_000,
  session: 'reported',
  repeatedSession: 'continues',
  modelBy: { kind: 'flag', flag: '-m' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: [
      'Permissions confine the file tool; the shell is only looked at for paths, and writes anywhere.',
      'An action that would be asked about ends the whole run with exit code 0; so nothing is left to be asked.',
    ],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'],
    keys: KEYS,
    never: [...NEVER_INHERITED, 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_PERMISSION'],
    set: {
      ...PLAIN_OUTPUT,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'none',
  usageSource: 'stream',
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, or stopped at an action that would have been asked about' },
    { code: 1, meaning: 'model error, refused flag, or a HOME that is missing' },
  ],
  leftovers: [
    'dies by the signal; its shells have sessions of their own and outlive it',
    'prints nothing before the first answer of the model',
  ],
  home: {
    privateHome: true,
    variable: null,
    loginPaths: ['.local/share/opencode/auth.json'],
    remarks: [
      'several first runs in one fresh HOME fail at random (migration of its database): warm it with `opencode session list`',
      'keeps a snapshot repository of the project',
    ],
  },
  networkAttempts: ['the npm registry (plugins; no switch is known)'],
  command: (request) =>
    buildCommand(opencode, request, {
      flags: ['run', '--format', 'json', '--title', 'bailiwick', '-m', modelOf(request)],
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(request)) },
    }),
  reader: opencodeReader,
};

function modelOf(request: AgentCommandRequest): string {
  if (request.endpoint !== undefined) return `${ENDPOINT_PROVIDER}/${servedId(request)}`;
  if (!request.model.includes('/')) throw invalid('opencode', 'model', `must be <provider>/<model>: ${request.model}`);
  return request.model;
}

/** The model's id as a server knows it: without the provider's name before the first slash. */
function servedId(request: AgentCommandRequest): string {
  return request.model.slice(request.model.indexOf('/') + 1);
}

function configuration(request: AgentCommandRequest): Record<string, unknown> {
  return {
    autoupdate: false,
    share: 'disabled',
    // Titles would else be asked of another model, and every turn is attested.
    small_model: modelOf(request),
    permission: request.unattendedWrites ? openPermissions(request) : CLOSED_PERMISSIONS,
    ...(request.endpoint === undefined ? {} : { provider: endpointProvider(request, request.endpoint) }),
  };
}

const CLOSED_PERMISSIONS = { edit: 'deny', bash: 'deny', external_directory: 'deny', doom_loop: 'deny' };

function openPermissions(request: AgentCommandRequest): Record<string, unknown> {
  const roots = request.writeRoots.map((root) => [`${root}/**`, 'allow']);
  return {
    edit: 'allow',
    bash: 'allow',
    webfetch: 'allow',
    // the last rule that fits counts; "deny" tells the model, where "ask" would end the run
    external_directory: { '*': 'deny', ...Object.fromEntries(roots) },
    doom_loop: 'deny',
  };
}

function endpointProvider(request: AgentCommandRequest, endpoint: { readonly url: string; readonly apiKey: string }) {
  const id = servedId(request);
  return {
    [ENDPOINT_PROVIDER]: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${endpoint.url}/v1`, apiKey: endpoint.apiKey },
      models: { [id]: { name: id, limit: { context: 200_000, output: 8_192 } } },
    },
  };
}
