import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtCliPath, findFencedProcesses, runCliJson, type TempProject, waitUntil } from '../src/index.ts';
import { createdRun, storedRun } from './runs-in-process.ts';
import { aliveOf, project, SMALL_TEAM, startedAgents } from './support.ts';

type Document = Readonly<Record<string, unknown>>;

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

interface Server {
  readonly client: Client;
  readonly pid: number;
  readonly call: (
    name: string,
    input?: Document,
    o?: CallOptions,
  ) => Promise<{ readonly isError: boolean; readonly document: Document }>;
}

/** The built command line as an MCP server in a project, with a real client on its standard streams. */
async function serve(made: TempProject): Promise<Server> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCliPath(), 'mcp'],
    cwd: made.root,
    env: { ...made.environment },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input = {}, { signal, onLine } = {}) {
      const result = await client.callTool(
        { name, arguments: input },
        {
          timeout: 120_000,
          ...(signal && { signal }),
          ...(onLine && { onprogress: ({ message }) => onLine(message ?? '') }),
        },
      );
      const [first] = result.content;
      const document = first?.type === 'text' ? JSON.parse(first.text) : {};
      expect(result.structuredContent).toEqual(document);
      return { isError: result.isError === true, document };
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the MCP server', () => {
  it('takes a task to a verified run, tells its progress, and gives the documents that --json prints', async () => {
    const made = await project({ config: { team: SMALL_TEAM } });
    const { client, call } = await serve(made);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'run_create',
        'run_start',
        'run_resume',
        'run_show',
        'run_list',
        'run_verify',
        'team_dispatch',
        'team_await',
        'team_status',
        'team_stop',
        'doctor',
        'models_resolve',
      ]),
    );
    const lines: string[] = [];
    const started = await call('run_start', { task: '../TASK.md' }, { onLine: (line) => lines.push(line) });
    expect(started).toMatchObject({ isError: false, document: { schemaVersion: '1.0', state: 'verified' } });
    expect(lines).toEqual(expect.arrayContaining(['implement: implementer', 'implementer (claude/sonnet) completed']));
    const { document } = await runCliJson<Document>(made, ['run', 'show']);
    expect(await call('run_show')).toEqual({ isError: false, document });
  });

  it('gives an error of the command as an error of the tool, with its code, and starts nothing for a wrong input', async () => {
    const made = await project({ config: { team: SMALL_TEAM } });
    const { client, call } = await serve(made);
    const unknown = await call('models_resolve', { ref: 'claude/no-such' });
    expect(unknown).toMatchObject({
      isError: true,
      document: { error: { code: 'MODEL_UNKNOWN', hint: expect.any(String) } },
    });
    expect(await call('run_show', { run: '--json' })).toMatchObject({
      isError: true,
      document: { error: { code: 'RUN_UNKNOWN' } },
    });
    for (const input of [{}, { task: '../TASK.md', isolation: 'vm' }, { task: '../TASK.md', surplus: 1 }]) {
      const wrong = await client.callTool({ name: 'run_start', arguments: input }).catch((error: unknown) => error);
      expect(wrong instanceof Error || (wrong as { isError?: boolean }).isError).toBe(true);
    }
    await expect(storedRun(made)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it('serves a client of the protocol of 2025 too', async () => {
    const made = await project();
    const child = spawn(process.execPath, [builtCliPath(), 'mcp'], {
      cwd: made.root,
      env: { ...made.environment },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: Document): Promise<Document> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse(String((await lines.next()).value));
    };
    const clientInfo = { name: 'old', version: '1' };
    const hello = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    expect(hello).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'bailiwick' } },
    });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const listed = await ask(2, 'tools/call', { name: 'run_list', arguments: {} });
    expect(listed).toMatchObject({ id: 2, result: { structuredContent: { runs: [] }, isError: false } });
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  });
});

describe('a call that is cancelled', () => {
  it('ends the workers of run_start with their trees, as Ctrl-C does, and settles them as stopped', async () => {
    const made = await project({
      agents: { implementer: { as: 'grandchild' }, reportWriter: { as: 'hang' } },
      config: { team: SMALL_TEAM, limits: { graceSeconds: 1 } },
    });
    const { call } = await serve(made);
    const cancelling = new AbortController();
    const started = call('run_start', { task: '../TASK.md' }, { signal: cancelling.signal });
    await waitUntil('the report writer runs', async () => (await startedAgents(made)).length === 2);
    cancelling.abort('enough');
    await expect(started).rejects.toThrow();
    await waitUntil('it is settled', async () => (await storedRun(made)).attempts[1]?.status === 'stopped');
    const run = await storedRun(made);
    expect(run.attempts.map((attempt) => attempt.status)).toEqual(['completed', 'stopped']);
    expect(await aliveOf(run.runId)).toEqual([]);
  });

  it('leaves the workers of team_await at work', async () => {
    const made = await project({ agents: { implementer: { as: 'hang' } } });
    const { call } = await serve(made);
    const { document } = await call('run_create', { task: '../TASK.md' });
    await call('team_dispatch', { workers: ['implementer'], wait: false });
    const cancelling = new AbortController();
    const awaited = call('team_await', {}, { signal: cancelling.signal });
    await waitUntil('the agent runs', async () => (await startedAgents(made)).length === 1);
    cancelling.abort();
    await expect(awaited).rejects.toThrow();
    expect(await findFencedProcesses(String(document['runId']))).not.toHaveLength(0);
    expect(await call('team_stop')).toMatchObject({ isError: false, document: { stopped: [{ isGone: true }] } });
  });
});

describe('a connection that ends', () => {
  it.each(['the client goes', 'SIGTERM comes'])(
    'where %s lets go of the workers, and the server is gone',
    async (how) => {
      const made = await project({
        agents: { implementer: { as: 'hang' } },
        config: { team: SMALL_TEAM },
      });
      const { client, call, pid } = await serve(made);
      const { runId } = await createdRun(made);
      const dispatched = call('team_dispatch', { workers: ['implementer'] }).catch(() => undefined);
      await waitUntil('the agent runs', async () => (await startedAgents(made)).length === 1);
      if (how === 'the client goes') await client.close();
      else process.kill(pid, 'SIGTERM');
      await waitUntil('the server is gone', async () => !isAlive(pid));
      await dispatched;
      expect(await findFencedProcesses(runId)).not.toHaveLength(0);
    },
  );
});
