import { buildCommand, requireUuid } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider } from '../provider.ts';
import { transcriptPlace } from '../transcript-place.ts';
import { claudeReader, claudeTranscriptReader } from './reader.ts';

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** Claude Code, `claude -p`. Facts: 2.1.332 on Linux, 2026-11-29. */
export const claude: AgentProvider = {
  id: 'claude',
  displayName: 'Claude Code',
  program: 'claude',
  versionArgs: ['--version'],
  observedVersion: '2.1.332',
  npmPackage: '@anthropic-ai/claude-code',
  promptDelivery: 'stdin',
  maxPromptBytes: 10_000_000,
  session: 'flag',
  repeatedSession: 'refused',
  modelBy: { kind: 'flag', flag: '--model' },
  writeCapability: {
    maxBoundaryPrecision: 'directory',
    ownSandbox: true,
    ownSandboxByDefault: false,
    remarks: [
      'Without its sandbox the file tool is confined to the worktree and the added folders, the shell to nothing.',
      'Its sandbox needs bubblewrap and socat; it is asked to fail without them, since it would else run unconfined.',
      'In its sandbox `git add -A` fails on masked dotfiles; adding by path works.',
    ],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
    keys: KEYS,
    // IS_SANDBOX lifts its refusal to run without permissions as root; ANTHROPIC_MODEL names another model.
    never: [...NEVER_INHERITED, 'IS_SANDBOX', 'ANTHROPIC_MODEL'],
    set: { ...PLAIN_OUTPUT, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'stream',
  usageSource: 'stream',
  transcript: {
    placeOf: transcriptPlace({
      home: '.claude',
      variable: 'CLAUDE_CONFIG_DIR',
      // A subagent has a file of its own, below a folder of the session; the stream shows none of the turns of a subagent's subagent.
      pattern: (sessionId) => `projects/*/${sessionId}{.jsonl,/subagents/**/agent-*.jsonl}`,
    }),
    reader: claudeTranscriptReader,
  },
  endpoint: { dialect: 'anthropic-messages' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, or interrupted by SIGINT' },
    { code: 1, meaning: 'model error, refused flag, or a session id that is in use' },
    { code: 143, meaning: 'ended by SIGTERM' },
  ],
  leftovers: [
    'SIGTERM ends it and its shells; SIGKILL leaves its shells behind',
    'an empty .claude/.cc-writes folder where its sandbox ran',
  ],
  home: {
    privateHome: true,
    variable: 'CLAUDE_CONFIG_DIR',
    loginPaths: ['.claude/.credentials.json', '.claude.json'],
    remarks: ['works with a missing or unwritable HOME'],
  },
  networkAttempts: [],
  command: (request) => buildCommand(claude, request, { flags: flags(request), env: variables(request) }),
  reader: claudeReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  requireUuid('claude', request.sessionId);
  return [
    // stream-json is refused without --verbose
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--session-id',
    request.sessionId,
    '--model',
    request.model,
    ...permissionFlags(request),
    // variadic flags swallow what follows, unless they are written with "="
    ...request.writeRoots.map((root) => `--add-dir=${root}`),
    ...(request.ownSandbox === true ? [`--settings=${JSON.stringify(SANDBOX_SETTINGS)}`] : []),
  ];
}

function permissionFlags(request: AgentCommandRequest): readonly string[] {
  if (!request.unattendedWrites) return ['--permission-mode', 'dontAsk'];
  // bypassPermissions is refused as root, and opens .git to the file tool
  return ['--permission-mode', 'acceptEdits', '--allowedTools=Bash'];
}

const SANDBOX_SETTINGS = {
  sandbox: { enabled: true, failIfUnavailable: true, allowUnsandboxedCommands: false, autoAllowBashIfSandboxed: true },
};

function variables(request: AgentCommandRequest): Record<string, string> {
  const model = subagentModels(request.model);
  if (request.endpoint === undefined) return model;
  return { ...model, ANTHROPIC_BASE_URL: request.endpoint.url, ANTHROPIC_API_KEY: request.endpoint.apiKey };
}

/**
 * Subagents would else choose models of their own, and every turn is attested. The first variable is for a subagent without a model in
 * its call, the others for the names that a call may give. An alias can't stand for the others: they would be asked for by that name.
 */
function subagentModels(model: string): Record<string, string> {
  const isAlias = !model.includes('-');
  const variables = ['CLAUDE_CODE_SUBAGENT_MODEL', ...(isAlias ? [] : ALIASES)];
  return Object.fromEntries(variables.map((name) => [name, model]));
}

const ALIASES = ['HAIKU', 'SONNET', 'OPUS', 'FABLE'].map((alias) => `ANTHROPIC_DEFAULT_${alias}_MODEL`);
