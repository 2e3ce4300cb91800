import { afterEach, describe, expect, it } from 'vitest';
import {
  type ModelScenario,
  type ModelServer,
  parseScenario,
  type ScriptedTurn,
  startModelServer,
} from '../../src/index.ts';
import { ALL_FORMATS, ask, FORMATS } from './ask.ts';

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(turn: ScriptedTurn, more: Partial<ModelScenario> = {}): Promise<string> {
  const scenario = parseScenario({ schemaVersion: '1.0', turns: [turn], ...more }, 'the test');
  const server = await startModelServer({ scenario });
  servers.push(server);
  return server.url;
}

/** What arrived before the connection broke, or before enough had come. */
async function arrived(response: Response, isEnough: (text: string) => boolean = () => false): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (isEnough(text)) break;
    }
  } catch {
    return `${text}[broken]`;
  }
  return text;
}

describe.each(ALL_FORMATS)('%s', (format) => {
  it('breaks the connection after the first event', async () => {
    const response = await ask(await serve({ answer: 'drop', after: 'first-event' }), FORMATS[format]({}));
    expect(await arrived(response)).toMatch(/I will .*\[broken\]$/s);
  });

  it('ends a turn with nothing in it', async () => {
    const text = await (await ask(await serve({ answer: 'empty' }), FORMATS[format]({}))).text();
    expect(text).toMatch(/end_turn|"stop"|STOP|response\.completed/);
  });

  it('refuses in the words of the format', async () => {
    const response = await ask(
      await serve({ answer: 'status', status: 429, retryAfterSeconds: 3 }),
      FORMATS[format]({}),
    );
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await response.json()).toMatchObject({ error: { message: 'scripted failure 429' } });
  });
});

describe('a turn', () => {
  it('that trickles for ever sends its text again and again', async () => {
    const url = await serve({ answer: 'trickle', text: 'ab', everyMs: 1, forever: true });
    const gone = new AbortController();
    const response = await ask(url, FORMATS['openai-chat']({}), gone.signal);
    expect(await arrived(response, (text) => text.split('"content":"b"').length > 3)).toContain('"content":"a"');
    gone.abort();
  });

  it('that hangs sends as much as it is told to, and no more', async () => {
    const url = await serve({ answer: 'hang', after: 'headers' });
    const gone = new AbortController();
    const response = await ask(url, FORMATS['openai-chat']({}), gone.signal);
    expect(response.status).toBe(200);
    const body = response.text();
    gone.abort();
    await expect(body).rejects.toThrow(/abort/);
  });

  it('that drops before it answers leaves no answer at all', async () => {
    const url = await serve({ answer: 'drop', after: 'request' });
    await expect(ask(url, FORMATS['openai-chat']({}))).rejects.toThrow(/fetch failed/);
  });

  it('that fails at first answers whoever asks again', async () => {
    const url = await serve({ answer: 'text', text: 'at last', first: [{ answer: 'status', status: 500 }] });
    expect((await ask(url, FORMATS['openai-chat']({}))).status).toBe(500);
    expect(await (await ask(url, FORMATS['openai-chat']({}))).text()).toContain('at last');
  });

  it('names its model in the header where the script says so', async () => {
    const url = await serve({ answer: 'empty', model: 'another' }, { namesModelInHeader: true });
    expect((await ask(url, FORMATS['openai-responses']({}))).headers.get('openai-model')).toBe('another');
  });

  it('that writes a file uses the free-text patch tool where one is offered', async () => {
    const url = await serve({ answer: 'tool', call: { tool: 'write', path: 'a.txt', text: 'one\ntwo\n' } });
    const { path, body } = FORMATS['openai-responses']({ isStreamed: false });
    const response = await ask(url, { path, body: { ...body, tools: [{ type: 'custom', name: 'apply_patch' }] } });
    const input = '*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n';
    expect(await response.json()).toMatchObject({ output: [{ type: 'custom_tool_call', input }] });
  });

  it('that writes a file uses that tool in Chat Completions too, whole and as a stream', async () => {
    const url = await serve({ answer: 'tool', call: { tool: 'write', path: 'a.txt', text: 'one\n' } });
    const custom = { name: 'apply_patch', input: '*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n' };
    const tools = [{ type: 'custom', custom: { name: 'apply_patch' } }];
    const asked = (isStreamed: boolean) => {
      const { path, body } = FORMATS['openai-chat']({ isStreamed });
      return ask(url, { path, body: { ...body, tools } });
    };
    const call = expect.objectContaining({ type: 'custom', custom });
    expect(await (await asked(false)).json()).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
    expect(await (await asked(true)).text()).toContain(`"custom":${JSON.stringify(custom)}`);
  });

  it('that writes a file takes the shell where no tool writes', async () => {
    const url = await serve({ answer: 'tool', call: { tool: 'write', path: "it's/a.txt", text: 'one' } });
    const text = await (await ask(url, FORMATS['openai-chat']({ isStreamed: false }))).text();
    const command = `mkdir -p 'it'\\''s' && printf %s 'one' > 'it'\\''s/a.txt'`;
    expect(text).toContain(JSON.stringify(JSON.stringify(command)).slice(1, -1));
  });
});

describe('a scenario', () => {
  it.each([
    ['a newer version', { schemaVersion: '2.0', turns: [{ answer: 'empty' }] }, 'schemaVersion'],
    ['no turn', { schemaVersion: '1.0', turns: [] }, 'turns'],
    ['a word it does not know', { schemaVersion: '1.0', turns: [{ answer: 'empty', wait: 3 }] }, 'turns.0'],
    ['an answer it does not know', { schemaVersion: '1.0', turns: [{ answer: 'shrug' }] }, 'turns.0.answer'],
  ])('with %s is refused by the place', (_what, value, place) => {
    expect(() => parseScenario(value, 'bad.json')).toThrow(`bad.json is no scenario of version 1.0: ${place}`);
  });
});
