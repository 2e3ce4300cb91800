import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeModelCommand, type ModelScenario } from '../../src/index.ts';
import { ALL_FORMATS, ask, FORMATS, type Format } from './ask.ts';

const SCENARIO: ModelScenario = {
  schemaVersion: '1.0',
  turns: [
    { answer: 'tool', call: { tool: 'shell', command: 'echo done > {{Result Path}}' }, text: 'Looking.' },
    { answer: 'text', text: 'All of it is done.', model: 'another' },
  ],
  promptHolds: 'Result Path',
};
const PROMPT = '# Task\n**Result Path:** /tmp/the result\n';
const folder = mkdtempSync(join(tmpdir(), 'fake-model-'));
const scenario = join(folder, 'scenario.json');
const record = join(folder, 'requests.jsonl');

let program: ChildProcess;
let ready: { readonly url: string; readonly port: number };

beforeAll(async () => {
  writeFileSync(scenario, JSON.stringify(SCENARIO));
  const [node = '', ...args] = fakeModelCommand({ scenario, record, whileStdin: true });
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  program = child;
  const [line] = await once(createInterface(child.stdout), 'line');
  ready = JSON.parse(String(line));
});

afterAll(() => {
  program.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Where each format names the served model, the text and the tool call. */
const SHOWS: Readonly<Record<Format, { readonly model: string; readonly call: string }>> = {
  'openai-responses': { model: '"model":"MODEL"', call: '"type":"function_call"' },
  'openai-chat': { model: '"model":"MODEL"', call: '"finish_reason":"tool_calls"' },
  'anthropic-messages': { model: '"model":"MODEL"', call: '"stop_reason":"tool_use"' },
  'google-generate-content': { model: '"modelVersion":"MODEL"', call: '"functionCall"' },
};

describe('the program', () => {
  it('says where it listens, in one line of JSON', () => {
    expect(ready).toEqual({ schemaVersion: '1.0', url: `http://127.0.0.1:${ready.port}`, port: expect.any(Number) });
  });

  it.each(ALL_FORMATS.flatMap((format) => [true, false].map((isStreamed) => ({ format, isStreamed }))))(
    'calls the tool that is offered, then says its text ($format, streamed: $isStreamed)',
    async ({ format, isStreamed }) => {
      const first = await ask(ready.url, FORMATS[format]({ isStreamed, prompt: PROMPT }));
      const call = await first.text();
      expect(first.headers.get('content-type')).toBe(isStreamed ? 'text/event-stream' : 'application/json');
      expect(call).toContain(SHOWS[format].call);
      expect(call).toContain(SHOWS[format].model.replace('MODEL', 'asked'));
      expect(call).toContain('echo done > /tmp/the result');
      expect(call).toContain('description');
      const last = await (await ask(ready.url, FORMATS[format]({ isStreamed, prompt: PROMPT, toolResults: 1 }))).text();
      expect(last).toContain('All of it is done.');
      expect(last).toContain(SHOWS[format].model.replace('MODEL', 'another'));
      expect(last).not.toContain(SHOWS[format].call);
    },
  );

  it('answers what is not the task with a text of its own', async () => {
    const text = await (await ask(ready.url, FORMATS['openai-chat']({ prompt: 'A title, please' }))).text();
    expect(text).toContain('Nothing to add.');
  });

  it('records every request, and no key', async () => {
    await ask(ready.url, FORMATS['openai-chat']({ prompt: `${PROMPT} sk-not-to-be-recorded` }));
    await fetch(`${ready.url}/v1beta/models/m:countTokens?key=sk-not-to-be-recorded`, { method: 'POST', body: '{}' });
    const text = readFileSync(record, 'utf8');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(text).not.toContain('sk-not-to-be-recorded');
    expect(rows.at(-1)).toMatchObject({ answer: 'aside', url: '/v1beta/models/m:countTokens?key=[key]' });
    expect(rows.at(-2)).toMatchObject({
      schemaVersion: '1.0',
      answer: 'tool',
      model: 'asked',
      toolResults: 0,
      headers: { authorization: '[key]' },
    });
  });

  it('ends when its stdin does', async () => {
    const exited = once(program, 'exit');
    program.stdin?.end();
    expect(await exited).toEqual([0, null]);
  });
});
