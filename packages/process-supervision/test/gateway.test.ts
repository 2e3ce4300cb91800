import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayOrder } from '@bailiwick/dispatch-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchSupervisor } from './support/launch.ts';
import { expectNothingLeft } from './support/nothing-left.ts';
import { makeTestRun, poolEntry, type TestRun } from './support/test-run.ts';

const SELECTED = 'claude/claude-opus-4-5@20251101';
const OPUS = 'claude-opus-4-5-20251101';
const PLACEHOLDER = 'http://model-gateway.invalid';

let run: TestRun;
let server: Server;
const arrived: IncomingHttpHeaders[] = [];
let served: (string | undefined)[] = [];

beforeAll(async () => {
  run = await makeTestRun();
  server = createServer((request, response) => {
    arrived.push(request.headers);
    const usage = { input_tokens: 40, output_tokens: 2, cache_read_input_tokens: 10 };
    response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => response.end(JSON.stringify({ model: served.shift(), usage })));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await run.remove();
  await expectNothingLeft();
});

/** An agent that asks its model twice, where its HOME says that it is, and says that another one answered. */
const AGENT = `
const fs = require('node:fs');
const { url } = JSON.parse(fs.readFileSync(process.env.HOME + '/.agent/models.json', 'utf8'));
const models = (process.env.MODELS || ',').split(',');
const body = () => JSON.stringify({ model: models.shift() });
const ask = () => fetch(url + '/v1/messages', { method: 'POST', headers: { 'x-api-key': 'own' }, body: body() }).then((a) => a.text());
const say = (event) => console.log(JSON.stringify(event));
const message = { id: 'm1', role: 'assistant', model: 'other-1', content: [{ type: 'text', text: 'hm' }] };
(async () => {
  await ask();
  fs.writeFileSync(process.env.OUT + '/seen.json', JSON.stringify({ url, argv: process.argv, env: process.env }));
  await ask();
  if (process.env.GOES_ON === 'yes') return setInterval(() => {}, 1000);
  say({ type: 'assistant', session_id: 's-1', message });
  say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', session_id: 's-1', total_cost_usd: 0.5, usage: { input_tokens: 1, output_tokens: 1 } });
})();
`;

async function runAgent(environment: Readonly<Record<string, string>> = {}, rule: Pick<GatewayOrder, 'models'> = {}) {
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
  const gateway: GatewayOrder = {
    format: 'anthropic-messages',
    upstream,
    key: 'the-real-key',
    placeholder: PLACEHOLDER,
    ...rule,
  };
  const ownHome = {
    folder: run.path('own'),
    userHome: run.folder,
    files: [{ below: '.agent/models.json', text: JSON.stringify({ url: PLACEHOLDER }) }],
  };
  const job = await run.job([process.execPath, '-e', AGENT, PLACEHOLDER], {
    provider: 'claude',
    endEvidence: 'stream',
    env: { PATH: '/usr/bin:/bin', HOME: run.folder, OUT: run.path('out'), ...environment },
    servedModel: {
      selectedModelRef: SELECTED,
      poolEntries: [poolEntry(SELECTED, 'claude', [OPUS]), poolEntry('claude/other@1', 'claude', ['other-1'])],
      minimumSource: 'wire',
    },
    gateway,
    ownHome,
  });
  await launchSupervisor(run.order([job])).ended;
  return run.sidecar(job);
}

it('AR-10 what the gateway saw counts before what the agent says, and the real key stays out of the agent', async () => {
  served = [OPUS, OPUS];
  const sidecar = await runAgent();
  expect(sidecar).toMatchObject({
    stage: 'exited',
    endEvidence: 'positive',
    servedModel: {
      level: 'exact',
      normalizedModelRef: SELECTED,
      source: 'wire',
      turns: 2,
      reported: [OPUS],
      disagreements: [{ turn: 1, overruled: [{ raw: 'other-1', source: 'stream' }] }],
    },
    usage: { inputTokens: 100, outputTokens: 4, cachedInputTokens: 20, costUsd: 0.5 },
  });
  expect(arrived.map((headers) => headers['x-api-key'])).toEqual(['the-real-key', 'the-real-key']);
  const seen = await run.read('out/seen.json');
  expect(seen).toMatch(/"url":"http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}","argv":\[[^\]]*"http:\/\/127\.0\.0\.1:/);
  expect(seen).not.toContain('the-real-key');
  const { env } = JSON.parse(seen ?? '');
  expect([env.HOME, env.TMPDIR]).toEqual([run.path('own/home'), run.path('own/tmp')]);
  expect(await run.read('own/home/.agent/models.json')).toBeUndefined();
});

it('AR-9 a model that changes on the wire ends the worker at once', async () => {
  served = [OPUS, 'other-1'];
  expect(await runAgent({ GOES_ON: 'yes' })).toMatchObject({
    stage: 'served-model-mismatch',
    servedModel: { source: 'wire', turns: 2, reported: [OPUS, 'other-1'], deviation: { turn: 2 } },
  });
});

it.each([
  ['another one than is pinned', { only: ['opus'] }],
  ['one that is refused', { never: ['haiku'] }],
] as const)('a request for %s never leaves, and the record names the model', async (_, models) => {
  served = [OPUS];
  const before = arrived.length;
  const sidecar = await runAgent({ MODELS: 'opus,haiku' }, { models });
  expect(arrived.length - before).toBe(1);
  expect(sidecar).toMatchObject({
    stage: 'exited',
    reason: 'result: completed; the gateway refused to ask for "haiku"',
  });
  expect(sidecar?.servedModel).toMatchObject({ source: 'wire', reported: [OPUS] });
});
