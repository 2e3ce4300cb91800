import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelFormat } from '../src/index.ts';
import { type FakeModel, startFakeModel } from './support/fake-model.ts';
import { open, openBefore } from './support/opened.ts';
import { sendEvents, sendJson } from './support/upstream.ts';

interface Speaking {
  readonly format: ModelFormat;
  readonly path: string;
  readonly body: object;
}

const ASKED = { model: 'asked', messages: [], input: [] };

const SPEAKINGS: readonly Speaking[] = [true, false].flatMap((stream) => [
  { format: 'openai-responses', path: '/v1/responses', body: { ...ASKED, stream } } as const,
  { format: 'openai-chat', path: '/v1/chat/completions', body: { ...ASKED, stream } } as const,
  { format: 'anthropic-messages', path: '/v1/messages?beta=true', body: { ...ASKED, stream } } as const,
  {
    format: 'google-generate-content',
    path: `/v1beta/models/asked:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [] },
  } as const,
]);

describe('AR-10 what the fake model says on the wire', () => {
  let model: FakeModel;
  beforeAll(async () => {
    model = await startFakeModel([{ answer: 'text', text: 'Well done.', model: 'served-one' }]);
  });
  afterAll(() => model.close());

  it.each(SPEAKINGS)('is read as served model and usage: $format $path', async ({ format, path, body }) => {
    const { ask, attempt, events, over } = await open({ format, upstream: model.url });
    expect(await (await ask(path, body)).text()).toContain('Well done.');
    await over(1);
    const usage = { inputTokens: 900, outputTokens: 21, cachedInputTokens: 100 };
    const turn = { turn: 1, servedModels: ['served-one'], usage, isComplete: true };
    expect(attempt.turns()).toEqual([turn]);
    expect(events).toEqual([
      { kind: 'served-model', turn: 1, model: 'served-one' },
      { kind: 'turn', ...turn },
    ]);
  });
});

describe('AR-10 a turn', () => {
  it('counts each that begins, and names a model that changes half-way', async () => {
    const names = ['one', 'one', 'another'];
    const { ask, attempt, over } = await openBefore((response) =>
      sendEvents(response, `data: {"model":"${names.shift()}"}\n\ndata: [DONE]\n\n`),
    );
    for (let at = 0; at < 3; at += 1) await (await ask('/v1/chat/completions', ASKED)).text();
    await over(3);
    expect(attempt.turns().map(({ turn, servedModels }) => [turn, ...servedModels])).toEqual([
      [1, 'one'],
      [2, 'one'],
      [3, 'another'],
    ]);
  });

  it('names every model of one stream, and the one in the header', async () => {
    const { ask, attempt, over } = await openBefore((response) => {
      response.setHeader('openai-model', 'by-header');
      sendEvents(response, 'data: {"model":"first"}\n\ndata: {"model":"second"}\n\ndata: {"model":"first"}\n\n');
    });
    await (await ask('/v1/chat/completions', ASKED)).text();
    await over(1);
    expect(attempt.turns()[0]?.servedModels).toEqual(['by-header', 'first', 'second']);
  });

  it('of which nothing is told has no name and unknown usage, never 0', async () => {
    const { ask, attempt, over } = await openBefore((response) => sendJson(response, { model: 7, usage: null }));
    await (await ask('/v1/chat/completions', ASKED)).text();
    await over(1);
    expect(attempt.turns()[0]).toMatchObject({
      servedModels: [],
      usage: { inputTokens: 'unknown', outputTokens: 'unknown', cachedInputTokens: 'unknown' },
    });
  });

  it('that comes compressed in spite of what was asked for is passed on, and unknown', async () => {
    const { ask, attempt, over, upstream } = await openBefore((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'x-odd' });
      response.end('{"model":"hidden"}');
    });
    const raw = await ask('/v1/chat/completions', ASKED).then((response) => response.headers.get('content-encoding'));
    await over(1);
    expect([raw, attempt.turns()[0]?.servedModels]).toEqual(['x-odd', []]);
    expect(upstream.arrived[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is read from the array of pieces that Gemini sends without events', async () => {
    const pieces = [{ modelVersion: 'served' }, { usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2 } }];
    const format = 'google-generate-content';
    const { ask, attempt, over } = await openBefore((response) => sendJson(response, pieces), { format });
    await (await ask('/v1beta/models/asked:streamGenerateContent', { contents: [] })).text();
    await over(1);
    expect(attempt.turns()[0]).toMatchObject({ servedModels: ['served'], usage: { inputTokens: 4, outputTokens: 2 } });
  });

  it('whose connection breaks is incomplete, and breaks for the agent too', async () => {
    const { ask, attempt, over } = await openBefore((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"model":"served"}\n\n', () => response.destroy());
    });
    await expect(ask('/v1/chat/completions', ASKED).then((response) => response.text())).rejects.toThrow();
    await over(1);
    expect(attempt.turns()[0]).toMatchObject({ servedModels: ['served'], isComplete: false });
  });
});
