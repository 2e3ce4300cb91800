import { buildCommand } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider, HomeFile } from '../provider.ts';
import { transcriptPlace } from '../transcript-place.ts';
import { piReader, piTranscriptReader } from './reader.ts';

const KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
];
/** The provider that its model list gets when an endpoint is given. */
const ENDPOINT_PROVIDER = 'bailiwick';

/** pi, the coding agent of `@earendil-works`. Facts: 1.6.0 on Linux, 2026-11-29. */
export const pi: AgentProvider = {
  id: 'pi',
  displayName: 'pi',
  program: 'pi',
  versionArgs: ['--version'],
  observedVersion: '1.6.0',
  npmPackage: '@earendil-works/pi-coding-agent',
  promptDelivery: 'stdin',
  maxPromptBytes: 10_000_000,
  session: 'flag',
  // silently, so an id must never be given twice
  repeatedSession: 'continues',
  modelBy: { kind: 'flag', flag: '--model' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: ['No restriction of any kind: file tool and shell write anywhere.'],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'PI_CODING_AGENT_DIR'],
    keys: KEYS,
    never: NEVER_INHERITED,
    set: { ...PLAIN_OUTPUT, PI_OFFLINE: '1', PI_TELEMETRY: '0' },
  },
  streamFormat: 'json-lines',
  // It names the served model where that differs from the asked one, in two of its four dialects.
  servedModelSource: 'stream',
  usageSource: 'stream',
  transcript: {
    placeOf: transcriptPlace({
      home: '.pi/agent',
      variable: 'PI_CODING_AGENT_DIR',
      pattern: (sessionId) => `sessions/*/*_${sessionId}.jsonl`,
    }),
    reader: piTranscriptReader,
  },
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'anything: every model error too' },
    { code: 1, meaning: 'refused flag' },
    { code: 143, meaning: 'ended by SIGTERM' },
  ],
  leftovers: ['SIGTERM ends it and its shells; SIGINT and SIGKILL leave its shells behind'],
  home: {
    privateHome: true,
    variable: 'PI_CODING_AGENT_DIR',
    loginPaths: ['.pi/agent/auth.json', '.pi/agent/models.json', '.pi/agent/settings.json'],
    remarks: ['hangs with a HOME that is missing or not writable'],
  },
  networkAttempts: [],
  command: (request) => buildCommand(pi, request, { flags: flags(request), ...endpointFiles(request) }),
  reader: piReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  return [
    '--mode',
    'json',
    '-p',
    ...modelFlags(request),
    '--session-id',
    request.sessionId,
    ...(request.unattendedWrites ? [] : ['--tools', 'read,grep,find,ls']),
  ];
}

/** A model is `<provider>/<id>`, or an id alone that only one of its providers has. */
function modelFlags(request: AgentCommandRequest): readonly string[] {
  if (request.endpoint !== undefined) return ['--provider', ENDPOINT_PROVIDER, '--model', idOf(request.model)];
  const [provider] = request.model.split('/', 1);
  const isQualified = request.model.includes('/') && provider !== undefined;
  return isQualified ? ['--provider', provider, '--model', idOf(request.model)] : ['--model', request.model];
}

function idOf(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

function endpointFiles({ endpoint, model }: AgentCommandRequest): { readonly homeFiles?: readonly HomeFile[] } {
  if (endpoint === undefined) return {};
  const entry = {
    id: idOf(model),
    name: idOf(model),
    reasoning: false,
    input: ['text'],
    // no price is known here
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 8_192,
  };
  const provider = {
    baseUrl: `${endpoint.url}/v1`,
    api: 'openai-completions',
    apiKey: endpoint.apiKey,
    models: [entry],
  };
  const text = JSON.stringify({ providers: { [ENDPOINT_PROVIDER]: provider } });
  return { homeFiles: [{ path: '.pi/agent/models.json', text }] };
}
