import { buildCommand } from '../build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../environment.ts';
import type { AgentCommandRequest, AgentProvider, SandboxedRequest } from '../provider.ts';
import { codexReader } from './reader.ts';

const KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'];
const KEY_VARIABLE = 'BAILIWICK_MODEL_KEY';

/** OpenAI Codex, `codex exec`. Facts: 0.171.0 on Linux, 2026-11-29. */
export const codex: AgentProvider = {
  id: 'codex',
  displayName: 'OpenAI Codex',
  program: 'codex',
  versionArgs: ['--version'],
  observedVersion: '0.171.0',
  npmPackage: '@openai/codex',
  promptDelivery: 'stdin',
  // exactly 1,048,576 characters; a character is at least one byte
  maxPromptBytes: 1_048_576,
  session: 'reported',
  repeatedSession: 'not-applicable',
  modelBy: { kind: 'flag', flag: '-m' },
  writeCapability: {
    maxBoundaryPrecision: 'directory',
    ownSandbox: true,
    ownSandboxByDefault: true,
    remarks: [
      'Its sandbox mounts .git read-only: a commit needs the folders that it writes there among the write roots, in a worktree <main>/.git/worktrees/<name> and the folders of objects, branches and their logs.',
      'The temporary folder is no write root unless it is added; without that, a project below it would have no walls.',
      'A HOME below the temporary folder breaks the sandbox: every command fails, and the exit code is 0.',
    ],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'CODEX_HOME', 'OPENAI_BASE_URL'],
    keys: KEYS,
    never: NEVER_INHERITED,
    set: PLAIN_OUTPUT,
  },
  streamFormat: 'json-lines',
  // It says when it was routed to another model, and nothing otherwise: absence proves nothing.
  servedModelSource: 'none',
  usageSource: 'stream',
  endpoint: { dialect: 'openai-responses' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, even where every command failed' },
    { code: 1, meaning: 'model error, input too large, or HOME not writable' },
    { code: 2, meaning: 'refused flag' },
  ],
  leftovers: [
    'SIGTERM ends it by signal at once, its shells with it (own process namespace)',
    'never ends by itself when the connection is refused',
  ],
  home: {
    privateHome: true,
    variable: 'CODEX_HOME',
    loginPaths: ['.codex/auth.json'],
    remarks: ['must not lie below the temporary folder', 'needs a writable HOME'],
  },
  networkAttempts: [],
  command: (request) =>
    buildCommand(codex, request, {
      flags: flags(request),
      ...(request.endpoint === undefined ? {} : { env: { [KEY_VARIABLE]: request.endpoint.apiKey } }),
    }),
  sandboxed,
  reader: codexReader,
};

function flags(request: AgentCommandRequest): readonly string[] {
  // outside git it refuses to start without --skip-git-repo-check
  return [
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--sandbox',
    sandboxMode(request),
    '-C',
    request.cwd,
    '-m',
    request.model,
    ...request.writeRoots.flatMap((root) => ['--add-dir', root]),
    ...[...SETTINGS, ...endpointSettings(request)].flatMap((setting) => ['-c', setting]),
    '-',
  ];
}

/** Its `sandbox` takes settings only: the flags of `exec` as the settings that they stand for. */
function sandboxed({ command = ['codex'], writeRoots, argv }: SandboxedRequest): readonly string[] {
  const settings = [
    ...SETTINGS,
    'sandbox_mode="workspace-write"',
    `sandbox_workspace_write.writable_roots=${JSON.stringify(writeRoots)}`,
  ];
  return [...command, 'sandbox', ...settings.flatMap((setting) => ['-c', setting]), '--', ...argv];
}

function sandboxMode(request: AgentCommandRequest): string {
  if (!request.unattendedWrites) return 'read-only';
  return request.ownSandbox === false ? 'danger-full-access' : 'workspace-write';
}

const SETTINGS: readonly string[] = [
  'check_for_update_on_startup=false',
  // else it fetches from github.com at every start, with children that outlive it
  'features.plugins=false',
  'features.apps=false',
  'analytics.enabled=false',
  'sandbox_workspace_write.exclude_slash_tmp=true',
  'sandbox_workspace_write.exclude_tmpdir_env_var=true',
  // keeps variables named *KEY*, *SECRET* and *TOKEN* from its shells
  'shell_environment_policy.ignore_default_excludes=false',
];

function endpointSettings(request: AgentCommandRequest): readonly string[] {
  if (request.endpoint === undefined) return [];
  const provider = 'model_providers.bailiwick';
  return [
    'model_provider="bailiwick"',
    `${provider}.name="bailiwick"`,
    `${provider}.base_url=${JSON.stringify(`${request.endpoint.url}/v1`)}`,
    `${provider}.env_key="${KEY_VARIABLE}"`,
    `${provider}.wire_api="responses"`,
  ];
}
