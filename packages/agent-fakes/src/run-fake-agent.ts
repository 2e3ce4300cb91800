import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Agent } from './agent.ts';
import { type FakeAgentArguments, parseArguments } from './arguments.ts';
import { countAttempt, isReadOnly } from './attempt-count.ts';
import { behaves } from './behave/behaves.ts';
import { Behaviour } from './behaviours.ts';
import { Dialect } from './dialects.ts';
import type { FakeAgentRequest } from './fake-agent-request.ts';
import { watchInterruption } from './interruption.ts';
import { parsePrompt, type TaskPrompt } from './prompt.ts';
import type { OwnFileEntry } from './speak/dialect-speech.ts';
import { servedModels } from './speak/served-models.ts';
import { speeches } from './speak/speeches.ts';

const USAGE_EXIT_CODE = 2;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Runs one scripted agent on this process's stdin, stdout and working folder; resolves to its exit code. */
export async function runFakeAgent(argv: readonly string[]): Promise<number> {
  const parsed = parseArguments(argv);
  if ('usageError' in parsed) return refuse(parsed.usageError, USAGE_EXIT_CODE);
  const { request, sessionId } = parsed.ok;
  writeLedger(request);
  if (request.speak === Dialect.claude && sessionId !== undefined && !UUID.test(sessionId)) {
    return refuse('Error: Invalid session ID. Must be a valid UUID.', 1);
  }
  const prompt = parsePrompt(await text(process.stdin));
  const behaviour = await behaviourOfAttempt(request, prompt);
  return behaves[behaviour](createAgent({ ...parsed.ok, request: { ...request, as: behaviour } }, prompt));
}

/** One line by one O_APPEND write, before anything else can fail. A boundary that keeps the agent from it is no failure. */
function writeLedger({ ledger }: FakeAgentRequest): void {
  if (ledger === undefined) return;
  try {
    appendFileSync(ledger, `${process.env['BAILIWICK_DISPATCH_ID'] ?? '-'} ${process.pid}\n`);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
}

async function behaviourOfAttempt(request: FakeAgentRequest, prompt: TaskPrompt): Promise<Behaviour> {
  const as = request.as ?? Behaviour.work;
  const times = request.times ?? (as === Behaviour.noResultOnce ? 1 : undefined);
  if (times === undefined || request.ledger === undefined) return as;
  const attempt = await countAttempt(request.ledger, prompt.resultPath ?? process.cwd());
  return attempt <= times ? as : Behaviour.work;
}

function createAgent(told: FakeAgentArguments, prompt: TaskPrompt): Agent {
  const requestedModel = told.model ?? prompt.model ?? 'default';
  const speech = speeches[told.request.speak]({
    // codex takes none and makes its own.
    sessionId: told.sessionId ?? randomUUID(),
    cwd: process.cwd(),
    requestedModel,
    servedModel: servedModels(told.request, requestedModel),
    promptText: prompt.text,
    now: () => new Date(),
    append: appendToOwnFile,
  });
  return {
    request: told.request,
    prompt,
    cwd: process.cwd(),
    tell: (happening) =>
      print(
        speech
          .tell(happening)
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
      ),
    print,
    exitCodeOfFailure: (status) => speech.exitCodeOfFailure(status),
    interruption: watchInterruption(speech.exitCodeOfSignal),
  };
}

/** Without a HOME, or in one that can't be written, a CLI goes on without its own files. */
function appendToOwnFile({ home, variable, below, line }: OwnFileEntry): void {
  const { HOME, [variable]: moved } = process.env;
  if (HOME === undefined && moved === undefined) return;
  const file = path.join(moved ?? path.join(HOME ?? '', home), below);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, line, { mode: 0o600 });
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
}

/** Rejects once nobody reads any more, which ends the program with its edits taken back. */
function print(bytes: Uint8Array | string): Promise<void> {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function refuse(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}
