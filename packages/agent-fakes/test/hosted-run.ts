import type { AgentHost } from '../src/agent-host.ts';
import { type FakeAgentRequest, fakeAgentCommand } from '../src/index.ts';
import { runFakeAgent } from '../src/run-fake-agent.ts';
import { type FinishedRun, parseEvents, type RunOptions } from './fake-agent-run.ts';

export type HostedRun = Omit<FinishedRun, 'signal'>;

/** What the program would be told and say, without a process for it: for what is no matter of pipes, signals and pids. */
export function runHosted(request: FakeAgentRequest, options: RunOptions): Promise<HostedRun> {
  const [, , ...flags] = fakeAgentCommand(request);
  return runArguments([...flags, ...(options.cliFlags ?? [])], options);
}

/** The same by its words. */
export async function runArguments(argv: readonly string[], options: RunOptions): Promise<HostedRun> {
  const [chunks, errors]: [Buffer[], string[]] = [[], []];
  const exitCode = await runFakeAgent(argv, {
    ...quietHost(options),
    print: async (bytes) => void chunks.push(Buffer.from(bytes)),
    complain: (message) => void errors.push(message),
  });
  const output = Buffer.concat(chunks);
  return { exitCode, output, events: parseEvents(output.toString('utf8')), errorText: errors.join('\n') };
}

/** A host to which no signal comes. */
function quietHost({ cwd, prompt, env }: RunOptions): Omit<AgentHost, 'print' | 'complain'> {
  return {
    cwd,
    env: { ...process.env, ...env },
    pid: process.pid,
    readPrompt: async () => prompt ?? '',
    watchInterruption: () => ({ onInterrupt: () => () => undefined, ignore: () => undefined }),
  };
}
