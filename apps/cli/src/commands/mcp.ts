import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { createToolServer } from '../mcp/serve-tools.ts';
import type { Output } from '../output.ts';
import { ownVersion } from '../own-version.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Serves the commands as MCP tools on stdio until the client goes or a signal comes; either lets go of what waits for workers, which go on.
 * Stdout is the protocol's alone.
 */
export async function mcp(output: Output, flags: CommonFlags): Promise<ExitCode> {
  const calls = new Set<Promise<unknown>>();
  const setting = {
    version: ownVersion(),
    project: flags.project,
    onCall: (call: Promise<unknown>): void => {
      const settled = call.then(forget, forget);
      function forget(): void {
        calls.delete(settled);
      }
      calls.add(settled);
    },
  };
  const end = endOfConnection();
  const connection = serveStdio(() => createToolServer(setting), {
    onerror: (error) => output.progress(error.message),
  });
  const isSignal = await end;
  const isWaiting = calls.size > 0;
  await connection.close();
  await Promise.all(calls);
  if (isWaiting)
    output.progress('let go: workers go on; `bailiwick team await` settles them, `bailiwick team stop` ends them');
  return isSignal ? ExitCode.interrupted : ExitCode.done;
}

/** Resolves when nobody is at the other end any more: true where a signal asked for it. */
function endOfConnection(): Promise<boolean> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(true));
    process.stdin.once('end', () => resolve(false));
    process.stdin.once('close', () => resolve(false));
    process.stdout.once('error', () => resolve(false));
  });
}
