import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from './agent.ts';
import type { AgentHost } from './agent-host.ts';
import { type FakeAgentArguments, parseArguments } from './arguments.ts';
import { countAttempt, isReadOnly } from './attempt-count.ts';
import { behaves } from './behave/behaves.ts';
import { Behaviour } from './behaviours.ts';
import { Dialect } from './dialects.ts';
import type { FakeAgentRequest } from './fake-agent-request.ts';
import { parsePrompt, type TaskPrompt } from './prompt.ts';
import type { OwnFileEntry } from './speak/dialect-speech.ts';
import { servedModels } from './speak/served-models.ts';
import { speeches } from './speak/speeches.ts';

const USAGE_EXIT_CODE = 2;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Runs one scripted agent on its host; resolves to its exit code. */
export async function runFakeAgent(argv: readonly string[], host: AgentHost): Promise<number> {
  const parsed = parseArguments(argv);
  if ('usageError' in parsed) return refuse(host, parsed.usageError, USAGE_EXIT_CODE);
  const { request, sessionId } = parsed.ok;
  writeLedger(request, host);
  if (request.speak === Dialect.claude && sessionId !== undefined && !UUID.test(sessionId)) {
    return refuse(host, 'Error: Invalid session ID. Must be a valid UUID.', 1);
  }
  const prompt = parsePrompt(await host.readPrompt());
  const behaviour = await behaviourOfAttempt(request, prompt, host);
  return behaves[behaviour](createAgent({ ...parsed.ok, request: { ...request, as: behaviour } }, prompt, host));
}

/** One line by one O_APPEND write, before anything else can fail. A boundary that keeps the agent from it is no failure. */
function writeLedger({ ledger }: FakeAgentRequest, { env, pid }: AgentHost): void {
  if (ledger === undefined) return;
  try {
    appendFileSync(ledger, `${env['BAILIWICK_DISPATCH_ID'] ?? '-'} ${pid}\n`);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
}

async function behaviourOfAttempt(
  request: FakeAgentRequest,
  prompt: TaskPrompt,
  { cwd, env }: AgentHost,
): Promise<Behaviour> {
  const as = request.as ?? Behaviour.work;
  const times = request.times ?? (as === Behaviour.noResultOnce ? 1 : undefined);
  if (times === undefined || request.ledger === undefined) return as;
  const attempt = await countAttempt(request.ledger, prompt.resultPath ?? cwd, env['BAILIWICK_DISPATCH_ID']);
  return attempt <= times ? as : Behaviour.work;
}

function createAgent(told: FakeAgentArguments, prompt: TaskPrompt, host: AgentHost): Agent {
  const { cwd, env, print } = host;
  const requestedModel = told.model ?? prompt.model ?? 'default';
  const speech = speeches[told.request.speak]({
    // codex takes none and makes its own.
    sessionId: told.sessionId ?? randomUUID(),
    cwd,
    requestedModel,
    servedModel: servedModels(told.request, requestedModel),
    promptText: prompt.text,
    now: () => new Date(),
    append: (entry) => appendToOwnFile(entry, env),
  });
  return {
    request: told.request,
    prompt,
    cwd,
    env,
    tell: (happening) =>
      print(
        speech
          .tell(happening)
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
      ),
    print,
    exitCodeOfFailure: (status) => speech.exitCodeOfFailure(status),
    interruption: host.watchInterruption(speech.exitCodeOfSignal),
  };
}

/** Without a HOME, or in one that can't be written, a CLI goes on without its own files. */
function appendToOwnFile({ home, variable, below, line }: OwnFileEntry, env: AgentHost['env']): void {
  const { HOME, [variable]: moved } = env;
  if (HOME === undefined && moved === undefined) return;
  const file = path.join(moved ?? path.join(HOME ?? '', home), below);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, line, { mode: 0o600 });
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
}

function refuse(host: AgentHost, message: string, exitCode: number): number {
  host.complain(message);
  return exitCode;
}
