/**
 * Variables by which agent programs mark their own children. A worker that inherits them believes itself inside another
 * agent, or joins its session. Seen on 2026-11-29 with the versions that the providers name.
 */
const AGENT_MARKERS = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'GEMINI_CLI',
  'OPENCODE',
  'OPENCODE_PID',
  'PI_SESSION_ID',
  'PI_MODEL',
  'QWEN_CODE_SESSION_ID',
  'QWEN_CODE_MODEL',
  'COPILOT_AGENT_SESSION_ID',
] as const;

/** Variables that send git to another repository than the one the worker stands in; a hook's environment has them. */
const GIT_REDIRECTIONS = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
] as const;

/** What no agent program must inherit. */
export const NEVER_INHERITED: readonly string[] = [
  ...AGENT_MARKERS,
  ...GIT_REDIRECTIONS,
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
];

/** What every agent program has a use for. HOME must be set: without it most fall back to the user's real one. */
export const ALWAYS_NEEDED: readonly string[] = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'USER',
  'LOGNAME',
  'SHELL',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** No escape sequences in the output. */
export const PLAIN_OUTPUT: Readonly<Record<string, string>> = { TERM: 'dumb', NO_COLOR: '1' };
