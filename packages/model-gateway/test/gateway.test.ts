import { once } from 'node:events';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { isGatewayError, ModelFormat, openGateway, type UpstreamKey } from '../src/index.ts';
import { open, openBefore } from './support/opened.ts';
import { sendEvents, sendJson } from './support/upstream.ts';

const CHAT = '/v1/chat/completions';
const ASKED = { model: 'asked', messages: [] };
const CREDENTIALS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];

describe('keys', () => {
  const rows: readonly (readonly [ModelFormat, string, Partial<UpstreamKey>, Record<string, string>])[] = [
    ['openai-chat', CHAT, {}, { authorization: 'Bearer the-real-key' }],
    ['openai-responses', '/v1/responses', {}, { authorization: 'Bearer the-real-key' }],
    ['openai-chat', CHAT, { sentAs: 'api-key' }, { 'api-key': 'the-real-key' }],
    ['anthropic-messages', '/v1/messages', {}, { 'x-api-key': 'the-real-key' }],
    ['anthropic-messages', '/v1/messages', { sentAs: 'bearer' }, { authorization: 'Bearer the-real-key' }],
    ['google-generate-content', '/v1beta/models/m:generateContent', {}, { 'x-goog-api-key': 'the-real-key' }],
  ];

  it.each(rows)('of the agent stay here, the real one goes upstream: %s %s %o', async (format, path, key, sent) => {
    const { ask, events, upstream } = await openBefore((response) => sendJson(response, {}), {
      format,
      key: { value: 'the-real-key', ...key },
    });
    const answer = await ask(`${path}?key=own&beta=true`, ASKED);
    await answer.text();
    const [request] = upstream.arrived;
    const carried = CREDENTIALS.flatMap((name) => {
      const value = request?.headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    expect(Object.fromEntries(carried)).toEqual(sent);
    expect(request?.url).toBe(`${path}?beta=true`);
    expect(JSON.stringify([events, [...answer.headers]])).not.toContain('the-real-key');
  });

  it('are none where the server wants none, and cookies do not come back', async () => {
    const { ask, upstream } = await openBefore(
      (response) => {
        response.setHeader('set-cookie', 'session=1');
        sendJson(response, {});
      },
      { key: null },
    );
    expect((await ask(CHAT, ASKED)).headers.get('set-cookie')).toBeNull();
    expect(upstream.arrived[0]?.headers.authorization).toBeUndefined();
  });
});

describe('what passes', () => {
  it('comes piece by piece, not held until the end', async () => {
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
    const { ask } = await openBefore(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      await isSeen;
      response.end('data: two\n\n');
    });
    const answer = await ask(CHAT, ASKED);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: one\n\n');
    seen();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: two\n\n');
  });

  it('keeps the root of the model server, its path included, and the body to the byte', async () => {
    const { ask, upstream } = await openBefore((response) => sendJson(response, {}), { upstream: '/openai/west' });
    const body = '{"model": "asked", "messages":[], "n": 1.0000000000000000001}';
    await ask(CHAT, body);
    expect(upstream.arrived[0]).toMatchObject({ method: 'POST', url: `/openai/west${CHAT}`, body });
    expect(upstream.arrived[0]?.headers.host).toBe(new URL(upstream.url).host);
  });

  it('lets a refusal of the server through, with its retry-after, as a failure and no turn', async () => {
    const { ask, attempt, events } = await openBefore((response) => {
      response.writeHead(429, { 'retry-after': '7' });
      response.end('slow down');
    });
    const answer = await ask(CHAT, ASKED);
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([429, '7', 'slow down']);
    expect([attempt.turns(), events]).toEqual([[], [{ kind: 'failure', status: 429 }]]);
  });

  it('asks for the list of models as it is, and counts it as no turn', async () => {
    const { ask, attempt, upstream } = await openBefore((response) => sendJson(response, { data: [] }));
    expect(await (await ask('/v1/models')).json()).toEqual({ data: [] });
    expect([upstream.arrived[0]?.method, attempt.turns()]).toEqual(['GET', []]);
  });
});

describe('what does not', () => {
  it.each(['/v1/embeddings', '/v1/responses', '/v1/chat/completions/../embeddings', '//evil/v1/chat/completions', ''])(
    'is any other path of the model server: %s',
    async (path) => {
      const { attempt, events, upstream } = await openBefore((response) => sendJson(response, {}));
      // by hand: `fetch` would resolve the dots itself
      const { port, pathname } = new URL(attempt.url);
      const socket = createConnection(Number(port), '127.0.0.1');
      socket.end(`POST ${pathname}${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 .*PATH_UNKNOWN/s);
      expect([upstream.arrived, events]).toEqual([[], [{ kind: 'refused', code: 'PATH_UNKNOWN', model: null }]]);
    },
  );

  it('is a path that no attempt has', async () => {
    const { attempt } = await openBefore((response) => sendJson(response, {}));
    const other = `${new URL(attempt.url).origin}/${'A'.repeat(43)}${CHAT}`;
    const answer = await fetch(other, { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'ATTEMPT_UNKNOWN' } }]);
  });

  it('is a request where nobody serves', async () => {
    const { ask, events } = await open({ upstream: 'http://127.0.0.1:9' });
    const answer = await ask(CHAT, ASKED);
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'UPSTREAM_UNREACHABLE' } }]);
    expect(events).toEqual([{ kind: 'failure', status: null }]);
  });
});

describe('a rule for models', () => {
  it.each([
    [{ only: ['asked'] }, 200],
    [{ only: ['other'] }, 403],
    [{ never: ['asked'] }, 403],
    [{ never: ['other'] }, 200],
    [{ only: ['asked'], never: ['asked'] }, 403],
    [{ only: [] }, 403],
    [{}, 200],
  ])('%o answers a request for "asked" with %i', async (models, status) => {
    const { ask, events, upstream } = await openBefore((response) => sendJson(response, {}), { models });
    expect((await ask(CHAT, ASKED)).status).toBe(status);
    expect(upstream.arrived.map(({ body }) => body)).toEqual(status === 200 ? [JSON.stringify(ASKED)] : []);
    if (status === 403) expect(events).toEqual([{ kind: 'refused', code: 'MODEL_REFUSED', model: 'asked' }]);
  });

  it('refuses a request that names no model', async () => {
    const { ask, events } = await openBefore((response) => sendJson(response, {}), { models: { only: ['asked'] } });
    expect((await ask(CHAT, '{"model":')).status).toBe(403);
    expect(events).toEqual([{ kind: 'refused', code: 'MODEL_REFUSED', model: null }]);
  });

  it("reads Gemini's model from the path", async () => {
    const format = 'google-generate-content';
    const { ask } = await openBefore((response) => sendJson(response, {}), { format, models: { only: ['asked'] } });
    expect((await ask('/v1beta/models/asked:generateContent', {})).status).toBe(200);
    expect((await ask('/v1beta/models/other:generateContent', {})).status).toBe(403);
  });
});

describe('the end', () => {
  it('of an attempt cuts off what is under way, and its path is gone', async () => {
    const { attempt, ask, over } = await openBefore((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"model":"served"}\n\n');
    });
    const answer = await ask(CHAT, ASKED);
    attempt.close();
    attempt.close();
    await expect(answer.text()).rejects.toThrow();
    await over(1);
    expect(attempt.turns()).toMatchObject([{ servedModels: ['served'], isComplete: false }]);
    expect((await ask(CHAT, ASKED)).status).toBe(404);
  });

  it('of one attempt leaves another alone', async () => {
    const [one, two] = [
      await openBefore((response) => sendEvents(response, '')),
      await openBefore((response) => sendEvents(response, '')),
    ];
    one.attempt.close();
    expect(one.attempt.url).not.toBe(two.attempt.url);
    expect((await two.ask(CHAT, ASKED)).status).toBe(200);
  });

  it('of the gateway frees its port and admits nobody any more', async () => {
    const gateway = await openGateway();
    const { port } = gateway;
    await Promise.all([gateway.close(), gateway.close()]);
    expect(() => gateway.admit(ROUTE)).toThrow(expect.objectContaining({ code: 'GATEWAY_CLOSED' }));
    const [error] = await once(createConnection(port, '127.0.0.1'), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

const ROUTE = { format: ModelFormat.openaiChat, upstream: 'http://127.0.0.1:1', key: null };

describe('a route', () => {
  it.each([
    ['format', { ...ROUTE, format: 'telnet' as ModelFormat }], // what a caller without types may give
    ['upstream', { ...ROUTE, upstream: 'ftp://models' }],
    ['upstream', { ...ROUTE, upstream: 'no url' }],
    ['upstream', { ...ROUTE, upstream: 'http://me:secret@models' }],
    ['upstream', { ...ROUTE, upstream: 'http://models?x=1' }],
    ['key', { ...ROUTE, key: { value: 'two\r\nlines' } }],
    ['key', { ...ROUTE, key: { value: '' } }],
  ])('with a bad %s is refused by that name, and shows no secret', async (field, route) => {
    const gateway = await openGateway();
    const error = await Promise.resolve()
      .then(() => gateway.admit(route))
      .catch((caught: unknown) => caught);
    await gateway.close();
    expect(isGatewayError(error) && [error.code, error.field]).toEqual(['ROUTE_INVALID', field]);
    expect(String(error)).not.toMatch(/secret|lines/);
  });
});
