import { once } from 'node:events';
import { FAKE_MODEL_USAGE, parseModelArguments } from './model-arguments.ts';
import { startModelServer } from './model-server.ts';
import { readScenario } from './read-scenario.ts';

/** Serves until SIGTERM or SIGINT, or until stdin ends; resolves to the exit code. Prints one line of JSON once it listens. */
export async function runFakeModel(argv: readonly string[]): Promise<number> {
  const request = parseModelArguments(argv);
  if (request === undefined) return refuse(FAKE_MODEL_USAGE);
  try {
    const scenario = await readScenario(request.scenario);
    const server = await startModelServer({
      scenario,
      ...(request.record === undefined ? {} : { recordPath: request.record }),
      ...(request.port === undefined ? {} : { port: request.port }),
    });
    process.stdout.write(`${JSON.stringify({ schemaVersion: '1.0', url: server.url, port: server.port })}\n`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), ...endOfStdin(request.whileStdin)]);
    await server.close();
    return 0;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function endOfStdin(counts: boolean | undefined): readonly Promise<unknown>[] {
  if (counts !== true) return [];
  process.stdin.resume();
  return [once(process.stdin, 'end')];
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}
