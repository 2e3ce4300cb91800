import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { argumentsOf } from './call-arguments.ts';
import { type CommandEnd, runCommand } from './run-command.ts';
import { type CommandTool, TOOLS } from './tools.ts';

/** What every call of a connection shares. */
export interface ToolSetting {
  readonly version: string;
  /** The project of calls that name none. */
  readonly project: string | undefined;
  /** Gets every call, so that the server can wait for its commands. */
  readonly onCall: (call: Promise<unknown>) => void;
}

/** As often as this a call that waits says that it does: clients give up on what is silent. */
const SIGN_OF_LIFE_MS = 10_000;

const INSTRUCTIONS =
  'Dispatches teams of coding-agent CLIs and tells from the disk who did what. run_start takes a task file to a verified, audited result; run_create, team_dispatch, team_await, team_status and team_stop do it in single steps. Every tool gives the document that the command of the same words prints with --json; an error has a code, and says what to do.';

/** A server with every tool; one per connection. */
export function createToolServer(setting: ToolSetting): McpServer {
  const server = new McpServer(
    { name: 'bailiwick', version: setting.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS)
    server.registerTool(
      tool.name,
      { description: tool.description, inputSchema: tool.input, annotations: annotationsOf(tool) },
      async (input, context) => callTool(tool, input, { setting, context }),
    );
  return server;
}

function annotationsOf({ effect }: CommandTool) {
  return { readOnlyHint: effect === 'reads', destructiveHint: effect === 'ends-workers', openWorldHint: false };
}

async function callTool(
  tool: CommandTool,
  input: Readonly<Record<string, unknown>>,
  { setting, context }: { readonly setting: ToolSetting; readonly context: ServerContext },
): Promise<CallToolResult> {
  const progress = progressOf(context);
  const ways = waysToEnd(context.mcpReq.signal, tool);
  const call = runCommand({ args: argumentsOf(tool, input, setting), ...ways, onLine: progress.tell });
  setting.onCall(call);
  try {
    return resultOf(await call.catch(notStarted));
  } finally {
    progress.end();
  }
}

/** A call that is cancelled is interrupted; one whose connection is gone lets go of its workers, or comes to its end unheard. */
function waysToEnd(
  signal: AbortSignal,
  { waits }: CommandTool,
): { readonly cancelled: AbortSignal; readonly detached: AbortSignal } {
  const [cancelled, detached] = [new AbortController(), new AbortController()];
  signal.addEventListener(
    'abort',
    () => {
      // A cancellation's reason is the client's text, if any; that of a lost connection is an error.
      if (!(signal.reason instanceof Error) || signal.reason.name === 'AbortError') cancelled.abort();
      else if (waits) detached.abort();
    },
    { once: true },
  );
  return { cancelled: cancelled.signal, detached: detached.signal };
}

/** Lines of progress and signs of life for a client that asks for them. */
function progressOf({ mcpReq }: ServerContext): { readonly tell: (line: string) => void; readonly end: () => void } {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { tell: () => undefined, end: () => undefined };
  const startedMs = performance.now();
  let progress = 0;
  const tell = (message: string): void => {
    if (mcpReq.signal.aborted) return;
    progress += 1;
    // A client that is gone hears nothing; the command ends as it would.
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
      .catch(() => undefined);
  };
  const timer = setInterval(
    () => tell(`still running after ${Math.round((performance.now() - startedMs) / 1_000)} s`),
    SIGN_OF_LIFE_MS,
  );
  return { tell, end: () => clearInterval(timer) };
}

/** The command's own document; one with a member `error` is an error of the tool, coded as on the command line. */
function resultOf({ document, exitCode, lastLines }: CommandEnd): CallToolResult {
  const told = document ?? silence(exitCode, lastLines);
  return {
    content: [{ type: 'text', text: JSON.stringify(told) }],
    structuredContent: told,
    isError: 'error' in told,
    _meta: { 'bailiwick/exitCode': exitCode },
  };
}

function notStarted(error: unknown): CommandEnd {
  return { document: undefined, exitCode: null, lastLines: [String(error)] };
}

/** A command that was killed, or broke, before it had a document. */
function silence(exitCode: number | null, lastLines: readonly string[]) {
  return {
    error: {
      code: 'INTERNAL',
      message: `the command ended without a document (exit code ${exitCode ?? 'none'})`,
      hint: 'team_status shows what runs; the same words on a terminal show what it says',
      details: { lastLines },
    },
  };
}
