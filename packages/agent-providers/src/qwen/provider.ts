import { buildCommand, requireUuid } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider, HomeFile } from '../provider.ts';
import { transcriptPlace } from '../transcript-place.ts';
import { qwenReader, qwenTranscriptReader } from './reader.ts';

const KEYS = ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'QWEN_API_KEY'];

/** Qwen Code. Facts: 0.24.4 on Linux, 2026-11-29. */
export const qwen: AgentProvider = {
  id: 'qwen',
  displayName: 'Qwen Code',
  program: 'qwen',
  versionArgs: ['--version'],
  observedVersion: '0.24.4',
  npmPackage: '@qwen-code/qwen-code',
  promptDelivery: 'stdin',
  // It refuses what it takes for more than 177,000 tokens.
  maxPromptBytes: 500_000,
  session: 'flag',
  repeatedSession: 'refused',
  modelBy: { kind: 'flag', flag: '-m' },
  writeCapability: {
    maxBoundaryPrecision: 'worktree',
    ownSandbox: true,
    ownSandboxByDefault: false,
    remarks: [
      'Without its sandbox file tool and shell write anywhere.',
      'Its sandbox needs bubblewrap and fails without it; .git stays writable, so that a commit works, but not in a linked worktree, whose .git lies elsewhere.',
      'Its sandbox is switched on by its settings, and so needs a private HOME.',
    ],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'OPENAI_BASE_URL', 'QWEN_HOME'],
    keys: KEYS,
    never: [...NEVER_INHERITED, 'OPENAI_MODEL', 'QWEN_SANDBOX'],
    set: {
      ...PLAIN_OUTPUT,
      // else it starts itself again, and on a signal dies alone while the program behind it goes on
      QWEN_CODE_NO_RELAUNCH: 'true',
    },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'transcript',
  usageSource: 'stream',
  transcript: {
    placeOf: transcriptPlace({
      home: '.qwen',
      variable: 'QWEN_HOME',
      pattern: (sessionId) => `projects/*/chats/${sessionId}.jsonl`,
    }),
    reader: qwenTranscriptReader,
  },
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, or nothing ran (--sandbox without docker)' },
    { code: 1, meaning: 'model error, prompt too large, refused flag, or a session id that exists' },
    { code: 55, meaning: 'its own time limit' },
    { code: 130, meaning: 'ended by SIGTERM or SIGINT' },
  ],
  leftovers: [
    'the `qwen` wrapper dies on a signal while the program behind it goes on; cli.js itself takes signals well, told not to start itself again',
  ],
  home: {
    privateHome: true,
    variable: 'QWEN_HOME',
    loginPaths: ['.qwen/oauth_creds.json', '.qwen/settings.json'],
    remarks: ['exit 1 with a missing HOME'],
  },
  networkAttempts: ['*.rum.aliyuncs.com (telemetry), unless its settings switch usage statistics off'],
  command: (request) =>
    buildCommand(qwen, request, { flags: flags(request), ...endpointVariables(request), ...settings(request) }),
  reader: qwenReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  requireUuid('qwen', request.sessionId);
  return [
    ...(request.endpoint === undefined ? [] : ['--auth-type', 'openai']),
    '-m',
    request.model,
    '-o',
    'stream-json',
    '--approval-mode',
    request.unattendedWrites ? 'yolo' : 'plan',
    '--session-id',
    request.sessionId,
    ...request.writeRoots.map((root) => `--include-directories=${root}`),
  ];
}

function endpointVariables({ endpoint, model }: AgentCommandRequest): { readonly env?: Record<string, string> } {
  if (endpoint === undefined) return {};
  return { env: { OPENAI_BASE_URL: `${endpoint.url}/v1`, OPENAI_API_KEY: endpoint.apiKey, OPENAI_MODEL: model } };
}

function settings({ endpoint, ownSandbox }: AgentCommandRequest): { readonly homeFiles?: readonly HomeFile[] } {
  if (endpoint === undefined && ownSandbox !== true) return {};
  const sandbox = { executionSandbox: { backend: 'auto', filesystem: 'workspace-write', network: 'closed' } };
  const text = JSON.stringify({
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false },
    ...(ownSandbox === true ? { tools: sandbox } : {}),
  });
  return { homeFiles: [{ path: '.qwen/settings.json', text }] };
}
