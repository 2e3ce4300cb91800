import { buildCommand, invalid } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider } from '../provider.ts';
import { geminiReader } from './reader.ts';

const KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];
/** It ignores folders beyond the fifth. */
const MAX_WRITE_ROOTS = 5;

/** Gemini CLI. Facts: 0.61.0 on Linux, 2026-11-29. */
export const gemini: AgentProvider = {
  id: 'gemini',
  displayName: 'Gemini CLI',
  program: 'gemini',
  versionArgs: ['--version'],
  observedVersion: '0.61.0',
  npmPackage: '@google/gemini-cli',
  promptDelivery: 'stdin',
  // Proven; it cuts its input at 8 MiB, and above the model's window it exits 0 without having asked the model.
  maxPromptBytes: 1_000_000,
  session: 'flag',
  repeatedSession: 'refused',
  modelBy: { kind: 'flag', flag: '-m' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: ['The file tool is confined to the worktree and the included folders, the shell to nothing.'],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
    keys: KEYS,
    never: [...NEVER_INHERITED, 'GEMINI_MODEL', 'GEMINI_SANDBOX'],
    set: {
      ...PLAIN_OUTPUT,
      // an untrusted folder is exit 55
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // else the parent ignores signals and its child goes on
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'stream',
  usageSource: 'stream',
  endpoint: { dialect: 'google-generate-content' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, ended by a signal, or a prompt larger than the window' },
    { code: 41, meaning: 'no login chosen, or settings unreadable' },
    { code: 42, meaning: 'session id exists' },
    { code: 55, meaning: 'folder not trusted' },
    { code: 144, meaning: 'HTTP 400: the status modulo 256' },
    { code: 145, meaning: 'HTTP 401' },
    { code: 173, meaning: 'HTTP 429' },
    { code: 244, meaning: 'HTTP 500' },
  ],
  leftovers: [
    'its shells have process groups of their own and outlive it, even where its group is ended',
    'exits 0 on SIGTERM, without a result event',
  ],
  home: {
    privateHome: true,
    variable: null,
    loginPaths: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json', '.gemini/settings.json'],
    remarks: ['exit 41 with a missing HOME', 'each start may leave a projects.json.*.tmp'],
  },
  networkAttempts: ['play.googleapis.com, unless its settings switch usage statistics off'],
  command: (request) =>
    buildCommand(gemini, request, {
      flags: flags(request),
      ...(request.endpoint === undefined ? {} : endpointParts(request.endpoint.url, request.endpoint.apiKey)),
    }),
  reader: geminiReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  if (request.writeRoots.length > MAX_WRITE_ROOTS) {
    throw invalid('gemini', 'writeRoots', `has ${request.writeRoots.length} folders, and it takes ${MAX_WRITE_ROOTS}`);
  }
  const comma = request.writeRoots.find((root) => root.includes(','));
  if (comma !== undefined) throw invalid('gemini', 'writeRoots', `has a comma, which separates folders: ${comma}`);
  return [
    '-m',
    request.model,
    '-o',
    'stream-json',
    '--approval-mode',
    // auto_edit has no shell
    request.unattendedWrites ? 'yolo' : 'plan',
    '--session-id',
    request.sessionId,
    ...request.writeRoots.map((root) => `--include-directories=${root}`),
  ];
}

function endpointParts(url: string, apiKey: string) {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  };
  return {
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: apiKey },
    homeFiles: [{ path: '.gemini/settings.json', text: JSON.stringify(settings) }],
  };
}
