import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { programPath } from '@bailiwick/tooling/program-path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Dialect, fakeAgentCommand } from '../src/index.ts';
import { type FinishedRun, type JsonEvent, runFakeAgent } from './fake-agent-run.ts';
import { makePassingProject } from './temp-project.ts';

const SESSION = 'b0b5a1c2-0000-4000-8000-00000000cafe';
const project = makePassingProject();

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
};

const ASKED: Readonly<Record<Dialect, string>> = {
  claude: 'claude-opus-4-5-20251101',
  codex: 'gpt-5.5',
  gemini: 'gemini-2.5-pro',
  pi: 'gpt-5.5',
};

/** Where each CLI's stream names the model that served; codex and pi name it only where it deviates. */
const SERVED: Readonly<Record<Dialect, (events: readonly JsonEvent[]) => readonly string[]>> = {
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

function run(request: Parameters<typeof fakeAgentCommand>[0], flags = CLI_FLAGS[request.speak]): Promise<FinishedRun> {
  return runFakeAgent(request, { cwd: project.root, prompt: project.prompt('verifier'), cliFlags: flags });
}

describe.each(Object.values(Dialect))('the dialect of %s', (speak) => {
  let finished: FinishedRun;
  beforeAll(async () => {
    finished = await run({ speak });
  });

  it('is nothing but JSON lines, from its start event to its end event', () => {
    expect(finished).toMatchObject({ exitCode: 0, signal: null, errorText: '' });
    const lines = finished.output.toString('utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(finished.events.length);
    expect([finished.events[0], finished.events.at(-1)]).toMatchObject(ENDS[speak]);
  });

  it('names the model that was asked for as the one that served, or none', () => {
    const served = SERVED[speak](finished.events);
    expect(new Set(served)).toEqual(new Set(['claude', 'gemini'].includes(speak) ? [ASKED[speak]] : []));
  });

  it('names the model of --serve as the one that served', async () => {
    const served = SERVED[speak]((await run({ speak, serve: 'zz-served-77' })).events);
    expect(new Set(served)).toEqual(new Set(['zz-served-77']));
  });

  it('shows another model than the one asked for when told wrong-model', async () => {
    const served = SERVED[speak]((await run({ speak, as: 'wrong-model' })).events);
    expect(served.length).toBeGreaterThan(0);
    expect(served).not.toContain(ASKED[speak]);
  });

  it('shows a second model from the second turn on when told model-change', async () => {
    const served = [...new Set(SERVED[speak]((await run({ speak, as: 'model-change' })).events))];
    const deviating = served.filter((name) => name !== ASKED[speak]);
    expect(deviating).toHaveLength(1);
    if (speak === 'claude' || speak === 'gemini') expect(served[0]).toBe(ASKED[speak]);
  });

  it.each([500, 400])('ends as the CLI does when its API answers %i', async (status) => {
    const failed = await run({ speak, as: 'api-error', status });
    expect(failed.exitCode).toBe({ claude: 1, codex: 1, gemini: status % 256, pi: 0 }[speak]);
    expect(failed.output.toString('utf8')).toContain(String(status));
    expect(failureOf(speak, failed.events)).toBe(true);
    expect(failed.events.some(isRetry)).toBe(status === 500 && speak !== 'gemini');
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
    case 'pi':
      return messagesOf(events, 'message_end').at(-1)?.['stopReason'] === 'error';
  }
}

function isRetry(event: JsonEvent): boolean {
  const isReconnect = event['type'] === 'error' && textOf(event['message']).startsWith('Reconnecting');
  return event['subtype'] === 'api_retry' || event['type'] === 'auto_retry_start' || isReconnect;
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
      { numRuns: 3 },
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
    const outcome = await new Promise<{ code: unknown; text: string }>((resolve) => {
      execFile(process.execPath, [programPath('fake-agent'), ...flags], (error, _out, text) =>
        resolve({ code: error?.code, text }),
      );
    });
    expect(outcome).toEqual({ code: 2, text: expect.stringContaining(reason) });
  });

  it('leaves nothing in the working folder by itself', () => {
    expect(readdirSync(project.root).toSorted()).toEqual(['.git', 'package.json', 'src']);
  });
});
