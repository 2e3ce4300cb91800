import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The same model server, asked directly and through the gateway. */
export interface TwoWays {
  readonly direct: string;
  readonly through: string;
}

/** Starts server and gateway as processes of their own, and ends them. */
export async function withTwoWays<T>(use: (ways: TwoWays) => Promise<T>): Promise<T> {
  const server = await start('upstream-program.ts');
  try {
    const gateway = await start('gateway-program.ts', server.url);
    try {
      return await use({ direct: server.url, through: gateway.url });
    } finally {
      gateway.end();
    }
  } finally {
    server.end();
  }
}

async function start(file: string, ...args: readonly string[]): Promise<{ readonly url: string; end(): void }> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@bailiwick/source', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface(child.stdout), 'line');
  return { url: String(url), end: () => child.stdin.end() };
}
