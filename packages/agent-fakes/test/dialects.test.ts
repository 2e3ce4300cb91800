import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Dialect, type FakeAgentRequest, fakeAgentCommand } from '../src/index.ts';
import { type FinishedRun, type JsonEvent, type RunOptions, runFakeAgent, startProgram } from './fake-agent-run.ts';
import { type HostedRun, runArguments, runHosted } from './hosted-run.ts';
import { makePassingProject } from './temp-project.ts';

const SESSION = 'b0b5a1c2-0000-4000-8000-00000000cafe';
const project = makePassingProject();
const home = mkdtempSync(path.join(tmpdir(), 'fake-agent-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The flags that a provider appends for each CLI. */
const CLI_FLAGS: Readonly<Record<Dialect, readonly string[]>> = {
  claude: [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--session-id',
    SESSION,
    '--model',
    'opus',
    '--allowedTools=Bash',
  ],
  codex: ['exec', '--json', '--sandbox', 'workspace-write', '-C', project.root, '-m', 'gpt-5.5', '-'],
  gemini: ['-m', 'gemini-2.5-pro', '-o', 'stream-json', '--approval-mode', 'yolo', '--session-id', SESSION],
  pi: ['--mode', 'json', '-p', '--provider', 'openai', '--model', 'gpt-5.5', '--session-id', SESSION],
  qwen: ['-m', 'qwen3.7-max', '-o', 'stream-json', '--approval-mode', 'yolo', '--session-id', SESSION],
};

const ASKED: Readonly<Record<Dialect, string>> = {
  claude: 'claude-opus-4-5-20251101',
  codex: 'gpt-5.5',
  gemini: 'gemini-2.5-pro',
  pi: 'gpt-5.5',
  qwen: 'qwen3.7-max',
};

/** Whose stream names the model that served; codex and pi name it only where it deviates, qwen never. */
const NAMING = Object.values(Dialect).filter((speak) => speak !== 'qwen');

/** Where each CLI's stream names the model that served. */
const SERVED: Readonly<Record<Exclude<Dialect, 'qwen'>, (events: readonly JsonEvent[]) => readonly string[]>> = {
  claude: (events) => messagesOf(events, 'assistant').map((message) => textOf(message['model'])),
  codex: (events) =>
    events.flatMap((event) => {
      const found = /^model rerouted: \S+ -> (\S+)/.exec(textOf(fieldsOf(event['item'])['message']));
      return found?.[1] === undefined ? [] : [found[1]];
    }),
  gemini: (events) => Object.keys(fieldsOf(fieldsOf(events.at(-1)?.['stats'])['models'])),
  pi: (events) =>
    messagesOf(events, 'message_end').flatMap(({ responseModel }) =>
      responseModel === undefined ? [] : [textOf(responseModel)],
    ),
};

/** By an analyst, which says as much as anyone and starts nothing. */
function run(request: FakeAgentRequest, flags = CLI_FLAGS[request.speak]): Promise<HostedRun> {
  return runHosted(request, optionsOf('analyst', flags));
}

function optionsOf(role: string, cliFlags: readonly string[]): RunOptions {
  return { cwd: project.root, prompt: project.prompt(role), cliFlags, env: { HOME: home } };
}

describe.each(Object.values(Dialect))('the dialect of %s', (speak) => {
  let finished: FinishedRun;
  beforeAll(async () => {
    finished = await runFakeAgent({ speak }, optionsOf('verifier', CLI_FLAGS[speak]));
  });

  it('is nothing but JSON lines, from its start event to its end event', () => {
    expect(finished).toMatchObject({ exitCode: 0, signal: null, errorText: '' });
    const lines = finished.output.toString('utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(finished.events.length);
    expect([finished.events[0], finished.events.at(-1)]).toMatchObject(ENDS[speak]);
  });

  it.each([500, 400])('ends as the CLI does when its API answers %i', async (status) => {
    const failed = await run({ speak, as: 'api-error', status });
    expect(failed.exitCode).toBe({ claude: 1, codex: 1, gemini: status % 256, pi: 0, qwen: 1 }[speak]);
    expect(failed.output.toString('utf8')).toContain(String(status));
    expect(failureOf(speak, failed.events)).toBe(true);
    expect(failed.events.some(isRetry)).toBe(status === 500 && speak !== 'gemini');
  });
});

describe.each(NAMING)('the model that serves %s', (speak) => {
  it('is the one that was asked for, or is not named', async () => {
    const served = SERVED[speak]((await run({ speak })).events);
    expect(new Set(served)).toEqual(new Set(['claude', 'gemini'].includes(speak) ? [ASKED[speak]] : []));
  });

  it('is the one of --serve', async () => {
    const served = SERVED[speak]((await run({ speak, serve: 'zz-served-77' })).events);
    expect(new Set(served)).toEqual(new Set(['zz-served-77']));
  });

  it('is another one than asked for when told wrong-model', async () => {
    const served = SERVED[speak]((await run({ speak, as: 'wrong-model' })).events);
    expect(served.length).toBeGreaterThan(0);
    expect(served).not.toContain(ASKED[speak]);
  });

  it('is a second one from the second turn on when told model-change', async () => {
    const served = [...new Set(SERVED[speak]((await run({ speak, as: 'model-change' })).events))];
    const deviating = served.filter((name) => name !== ASKED[speak]);
    expect(deviating).toHaveLength(1);
    if (speak === 'claude' || speak === 'gemini') expect(served[0]).toBe(ASKED[speak]);
  });
});

describe('the transcript of qwen', () => {
  interface Row {
    readonly uuid: string;
    readonly parentUuid: string | null;
    readonly type: string;
    readonly model?: string;
    readonly systemPayload?: { readonly uiEvent: { readonly 'event.name': string; readonly model?: string } };
  }

  /** The rows, of a run in a HOME of its own. */
  async function rowsOf(as: 'wrong-model' | 'model-change', variable?: string): Promise<readonly Row[]> {
    const own = mkdtempSync(path.join(tmpdir(), 'fake-agent-qwen-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    await runHosted(
      { speak: 'qwen', as },
      {
        cwd: project.root,
        prompt: project.prompt('analyst'),
        cliFlags: CLI_FLAGS.qwen,
        env: variable === undefined ? { HOME: own } : { HOME: home, [variable]: path.join(own, '.qwen') },
      },
    );
    const folder = project.root.replace(/[^a-zA-Z0-9]/g, '-');
    const text = readFileSync(path.join(own, '.qwen/projects', folder, 'chats', `${SESSION}.jsonl`), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line): Row => JSON.parse(line));
  }

  it('names the model that served in the telemetry of each answer, and the asked one beside what was said', async () => {
    const rows = await rowsOf('model-change');
    const answered = rows.flatMap(({ systemPayload }) =>
      systemPayload?.uiEvent['event.name'] === 'qwen-code.api_response' ? [systemPayload.uiEvent.model] : [],
    );
    const said = rows.filter(({ type }) => type === 'assistant');
    expect(answered[0]).toBe('qwen3.7-max');
    expect(new Set(answered.slice(1))).toEqual(new Set(['qwen3.6-flash']));
    expect(answered).toHaveLength(said.length);
    expect(new Set(said.map(({ model }) => model))).toEqual(new Set(['qwen3.7-max']));
  });

  it('is a chain of rows, and lies where QWEN_HOME says', async () => {
    const rows = await rowsOf('wrong-model', 'QWEN_HOME');
    expect(rows.map(({ parentUuid }) => parentUuid)).toEqual([null, ...rows.slice(0, -1).map(({ uuid }) => uuid)]);
  });
});

const ENDS: Readonly<Record<Dialect, readonly [object, object]>> = {
  claude: [
    { type: 'system', subtype: 'init', session_id: SESSION, model: 'opus' },
    { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', session_id: SESSION },
  ],
  codex: [
    { type: 'thread.started', thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { type: 'turn.completed', usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) } },
  ],
  gemini: [
    { type: 'init', session_id: SESSION, model: 'gemini-2.5-pro' },
    { type: 'result', status: 'success' },
  ],
  pi: [
    { type: 'session', id: SESSION },
    { type: 'agent_settled', aborted: false },
  ],
  qwen: [
    { type: 'system', subtype: 'init', session_id: SESSION, model: 'qwen3.7-max' },
    { type: 'result', subtype: 'success', is_error: false, session_id: SESSION },
  ],
};

function failureOf(speak: Dialect, events: readonly JsonEvent[]): boolean {
  const last = events.at(-1) ?? {};
  switch (speak) {
    case 'claude':
      return last['is_error'] === true && last['terminal_reason'] === 'api_error' && last['subtype'] === 'success';
    case 'codex':
      return last['type'] === 'turn.failed';
    case 'gemini':
      return last['status'] === 'error';
    case 'qwen':
      return last['is_error'] === true && last['subtype'] === 'error_during_execution';
    case 'pi':
      return messagesOf(events, 'message_end').at(-1)?.['stopReason'] === 'error';
  }
}

function isRetry(event: JsonEvent): boolean {
  const isReconnect = event['type'] === 'error' && textOf(event['message']).startsWith('Reconnecting');
  const isAnnounced = event['subtype'] === 'api_retry' || event['subtype'] === 'retry';
  return isAnnounced || event['type'] === 'auto_retry_start' || isReconnect;
}

function messagesOf(events: readonly JsonEvent[], type: string): readonly JsonEvent[] {
  return events.filter((event) => event['type'] === type).map((event) => fieldsOf(event['message']));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fieldsOf(value: unknown): JsonEvent {
  // Only read for its fields; what is no object has none.
  return typeof value === 'object' && value !== null ? (value as JsonEvent) : {};
}

describe('the command line', () => {
  it('starts with this Node and the absolute path of the program, and then tells it everything', () => {
    const [node, program, ...flags] = fakeAgentCommand({ speak: 'pi', as: 'slow', delayMs: 5, extraFile: 'a b.md' });
    expect(node).toBe(process.execPath);
    expect(path.isAbsolute(program ?? '')).toBe(true);
    expect(flags).toEqual(['--speak', 'pi', '--as', 'slow', '--delay-ms', '5', '--extra-file', 'a b.md']);
  });

  it('takes any further words for flags of the CLI that it stands for', async () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
    const words = fc.array(word.filter((text) => !/^--?(?:session-id|m)/.test(text)));
    await fc.assert(
      fc.asyncProperty(words, async (extra) => {
        const finished = await run({ speak: 'claude', as: 'nothing' }, ['-p', ...extra]);
        expect([finished.exitCode, finished.errorText]).toEqual([0, '']);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses a session id that is no UUID, as claude does', async () => {
    const finished = await run({ speak: 'claude' }, ['--session-id', 'mine']);
    expect(finished.exitCode).toBe(1);
    expect(finished.output).toHaveLength(0);
  });

  it.each([
    [['--speak', 'parseltongue'], '--speak must come first'],
    [['--as', 'work'], '--speak must come first'],
    [['--speak', 'pi', '--as', 'saint'], '--as must be one of'],
    [['--speak', 'pi', '--delay-ms', 'soon'], '--delay-ms needs a whole number'],
    [['--speak', 'pi', '--as'], '--as needs a value'],
    [['--speak', 'pi', '--as', 'no-result-once'], 'needs --ledger'],
    [['--speak', 'pi', '--times', '1'], '--times needs --ledger'],
  ])('refuses %j with exit code 2 and the reason', async (flags, reason) => {
    const outcome = await runArguments(flags, { cwd: project.root });
    expect(outcome).toMatchObject({ exitCode: 2, events: [], errorText: expect.stringContaining(reason) });
  });

  it('as a program says on stderr why it refuses, and exits with 2', async () => {
    const outcome = await startProgram(['--speak', 'pi', '--delay-ms', 'soon'], { cwd: project.root }).finished;
    const errorText = expect.stringMatching(/^--delay-ms needs a whole number.*\n$/);
    expect(outcome).toMatchObject({ exitCode: 2, output: Buffer.of(), errorText });
  });

  it('leaves nothing in the working folder by itself', () => {
    expect(readdirSync(project.root).toSorted()).toEqual(['.git', 'package.json', 'src']);
  });
});
