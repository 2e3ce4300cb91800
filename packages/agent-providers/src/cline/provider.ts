import { buildCommand, promptFileLine } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider, HomeFile } from '../provider.ts';
import { clineReader } from './reader.ts';

const KEYS = ['CLINE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'AI_GATEWAY_API_KEY'];
const ENDPOINT_PROVIDER = 'openai-compatible';

/** Cline. Facts: 3.0.65 on Linux, 2026-11-29. */
export const cline: AgentProvider = {
  id: 'cline',
  displayName: 'Cline',
  program: 'cline',
  versionArgs: ['--version'],
  observedVersion: '3.0.65',
  npmPackage: 'cline',
  // With --json it refuses stdin, whatever it is connected to.
  promptDelivery: 'file-line',
  // The file is read by its own tool, in one piece.
  maxPromptBytes: 400_000,
  session: 'reported',
  repeatedSession: 'not-applicable',
  modelBy: { kind: 'flag', flag: '-m' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: ['Approves everything by itself, and confines nothing.'],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'CLINE_DATA_DIR'],
    keys: KEYS,
    never: NEVER_INHERITED,
    set: { ...PLAIN_OUTPUT, CLINE_TELEMETRY_DISABLED: '1' },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'none',
  usageSource: 'stream',
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, aborted, or a tool that was refused' },
    { code: 1, meaning: 'model error or refused flag' },
  ],
  leftovers: [
    'a hub daemon on 127.0.0.1:25463 that is shared between runs and outlives each',
    'ignores SIGTERM until its model call or tool ends, then exits 0 without a word',
  ],
  home: {
    privateHome: true,
    variable: 'CLINE_DATA_DIR',
    loginPaths: ['.cline/data/settings/providers.json', '.cline/data/secrets.json'],
    remarks: ['exit 1 with a missing HOME'],
  },
  networkAttempts: ['data.cline.bot', 'otel.cline.bot'],
  command: (request) => buildCommand(cline, request, { flags: flags(request), ...endpointFiles(request) }),
  reader: clineReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  return [
    '--json',
    ...(request.endpoint === undefined ? [] : ['-P', ENDPOINT_PROVIDER]),
    '-m',
    request.model,
    '-c',
    request.cwd,
    // plan mode writes nothing
    ...(request.unattendedWrites ? [] : ['-p']),
    promptFileLine(request.promptPath),
  ];
}

function endpointFiles({ endpoint, model }: AgentCommandRequest): { readonly homeFiles?: readonly HomeFile[] } {
  if (endpoint === undefined) return {};
  const settings = { provider: ENDPOINT_PROVIDER, apiKey: endpoint.apiKey, model, baseUrl: `${endpoint.url}/v1` };
  const entry = { settings, updatedAt: '2026-11-29T00:00:00.000Z', tokenSource: 'manual' };
  const text = JSON.stringify({
    version: 1,
    lastUsedProvider: ENDPOINT_PROVIDER,
    providers: { [ENDPOINT_PROVIDER]: entry },
  });
  return { homeFiles: [{ path: '.cline/data/settings/providers.json', text }] };
}
