import type { StatusSidecar, SupervisedJob } from '@bailiwick/dispatch-state';
import { parseSessionId } from '@bailiwick/execution-identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingLeft } from './support/nothing-left.ts';
import { type Agent, type EndedBatch, runTogether } from './support/run-together.ts';
import { poolEntry, shell } from './support/test-run.ts';

const CLAUDE = 'claude/claude-opus-4-5@20251101';
const OPUS = 'claude-opus-4-5-20251101';
const QWEN = 'qwen/qwen3.7-max';

let sessions = 0;

/** A job with a session of its own, by which its transcript is found. */
function served(
  provider: 'claude' | 'qwen',
  minimumSource: SupervisedJob['servedModel']['minimumSource'] = null,
): Partial<SupervisedJob> & { readonly sessionId: string } {
  sessions += 1;
  const selectedModelRef = provider === 'claude' ? CLAUDE : QWEN;
  const poolEntries = [
    poolEntry(CLAUDE, 'claude', [OPUS]),
    poolEntry('claude/other@1', 'claude', ['other-1']),
    poolEntry(QWEN, 'qwen', ['qwen3.7-max']),
    poolEntry('qwen/other', 'qwen', ['other-1']),
  ].filter((entry) => (entry as { providerId: string }).providerId === provider);
  return {
    provider,
    endEvidence: 'stream',
    sessionId: parseSessionId(`6f1c0b52-3b0e-4a0e-9d59-${String(sessions).padStart(12, '0')}`),
    servedModel: { selectedModelRef, poolEntries, minimumSource },
  };
}

type Served = ReturnType<typeof served>;

const answer = (id: string, model: string) => ({ type: 'assistant', message: { id, role: 'assistant', model } });
/** Qwen Code's stream has the model that was asked for. */
const said = (id: string) => answer(id, 'qwen3.7-max');
const qwenAnswer = (model: string) => ({
  type: 'system',
  subtype: 'ui_telemetry',
  systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_response', model } },
});
const QWEN_ROW = { type: 'assistant', model: 'qwen3.7-max' };
const END = { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' };
/** What may pass by itself, and would be tried again. */
const FAILURE = { type: 'result', subtype: 'error_during_execution', is_error: true, error: '429 rate limit' };

function print(...rows: readonly object[]): string {
  return rows.map((row) => `printf '%s\\n' '${JSON.stringify(row)}'`).join('; ');
}

function pathOf({ provider, sessionId }: Served): string {
  return provider === 'claude'
    ? `"$HOME/.claude/projects/-work/${sessionId}.jsonl"`
    : `"$HOME/.qwen/projects/-work/chats/${sessionId}.jsonl"`;
}

/** An agent that says `stream` and keeps `transcript`, which is a shell command given the path. */
function agent(job: Served, stream: readonly object[], transcript: (path: string) => string, end = [END]): Agent {
  const path = pathOf(job);
  return [shell(`${print(...stream)}; mkdir -p "$(dirname ${path})"; ${transcript(path)}; ${print(...end)}`), job];
}

/** Claude Code keeps a file for each subagent beside that of the session. */
const withSubagent =
  (own: readonly object[], its: readonly object[], place = 'subagents') =>
  (path: string) => {
    const folder = `"$(dirname ${path})/$(basename ${path} .jsonl)/${place}"`;
    return `${rows(...own)(path)}; mkdir -p ${folder}; ${rows(...its)(`${folder}/agent-a5c068d0746e4d8ae.jsonl`)}`;
  };

const rows =
  (...all: readonly object[]) =>
  (path: string) =>
    `{ ${print(...all)}; } > ${path}`;

type Case =
  | 'seenOnlyThere'
  | 'ofSubagent'
  | 'ofWorkflow'
  | 'toldTwice'
  | 'besideLink'
  | 'contradicted'
  | 'named'
  | 'demanded'
  | 'substituted'
  | 'changed'
  | 'failed'
  | 'endless'
  | 'pipe'
  | 'missing'
  | 'ownHome';

describe('the transcript', () => {
  let ended: EndedBatch<Case>;
  const sidecarOf = async (name: Case): Promise<StatusSidecar | undefined> => ended.run.sidecar(ended.jobs[name]);

  beforeAll(async () => {
    const folder = `/tmp/bailiwick-own-home-${process.pid}`;
    const ownHome = { ownHome: { folder, userHome: '/root', files: [] } };
    const twoAnswers = [qwenAnswer('qwen3.7-max'), QWEN_ROW, qwenAnswer('qwen3.7-max'), QWEN_ROW];
    const said1 = [answer('m1', OPUS)];
    const two = [said('a'), said('b'), said('c')];
    ended = await runTogether<Case>({
      seenOnlyThere: agent(served('claude'), [answer('m1', OPUS)], rows(answer('m1', OPUS), answer('m2', 'other-1'))),
      ofSubagent: agent(served('claude'), said1, withSubagent(said1, [answer('m2', 'other-1')])),
      ofWorkflow: agent(
        served('claude'),
        said1,
        withSubagent(said1, [answer('m2', 'other-1')], 'subagents/workflows/w1'),
      ),
      toldTwice: agent(
        served('claude'),
        [answer('m1', OPUS), { ...answer('m2', OPUS), parent_tool_use_id: 'toolu_1' }],
        withSubagent(said1, [answer('m2', OPUS)]),
      ),
      besideLink: agent(
        served('claude'),
        said1,
        (path) => `${withSubagent(said1, [answer('m2', 'other-1')])(path)}; rm ${path}; ln -s /dev/zero ${path}`,
      ),
      contradicted: agent(served('claude'), [answer('m1', OPUS), answer('m2', OPUS)], rows(answer('m2', 'other-1'))),
      named: agent(served('qwen'), two, rows(...twoAnswers)),
      demanded: agent(served('qwen', 'transcript'), two, rows(...twoAnswers)),
      substituted: agent(served('qwen'), two, rows(qwenAnswer('other-1'), QWEN_ROW)),
      changed: agent(served('qwen'), two, rows(qwenAnswer('qwen3.7-max'), QWEN_ROW, qwenAnswer('elsewhere-2'))),
      failed: agent(served('qwen'), [...two, FAILURE], rows(qwenAnswer('other-1')), []),
      endless: agent(
        served('qwen', 'transcript'),
        two,
        (path) => `{ ${print(...twoAnswers)}; } > ${path}; truncate -s 200M ${path}`,
      ),
      pipe: agent(served('qwen', 'transcript'), two, (path) => `mkfifo ${path}`),
      missing: agent(served('qwen'), two, () => 'true'),
      ownHome: agent({ ...served('qwen'), ...ownHome }, two, rows(qwenAnswer('other-1'), QWEN_ROW)),
    });
  });
  afterAll(async () => {
    await ended.run.remove();
    await expectNothingLeft();
  });

  it('AR-9 a turn that only it shows, served by another model, ends the attempt like one seen live', async () => {
    expect(await sidecarOf('seenOnlyThere')).toMatchObject({
      stage: 'served-model-mismatch',
      exitCode: 0,
      endEvidence: 'positive',
      servedModel: {
        reported: [OPUS, 'other-1'],
        source: 'transcript',
        turns: 2,
        deviation: { turn: 2, raw: 'other-1', source: 'transcript' },
      },
    });
  });

  it.each(['ofSubagent', 'ofWorkflow', 'besideLink'] as const)(
    'AR-9 AR-10 a turn of a subagent that only its own file shows is attested like every other (%s)',
    async (name) => {
      expect(await sidecarOf(name)).toMatchObject({
        stage: 'served-model-mismatch',
        servedModel: { turns: 2, deviation: { turn: 2, raw: 'other-1', source: 'transcript' } },
      });
    },
  );

  it('AR-10 a subagent’s turn that the stream showed already is the same turn', async () => {
    expect(await sidecarOf('toldTwice')).toMatchObject({
      stage: 'exited',
      servedModel: { level: 'exact', source: 'stream', turns: 2, reported: [OPUS] },
    });
  });

  it('AR-10 what the stream said of the same answer counts before it, and the difference is recorded', async () => {
    expect(await sidecarOf('contradicted')).toMatchObject({
      stage: 'exited',
      servedModel: {
        level: 'exact',
        source: 'stream',
        turns: 2,
        reported: [OPUS],
        disagreements: [
          {
            counted: { raw: OPUS, source: 'stream' },
            overruled: [{ raw: 'other-1', source: 'transcript' }],
          },
        ],
      },
    });
  });

  it('AR-10 it attests the turns of an agent whose stream names no model, however the stream cuts them', async () => {
    const servedModel = { level: 'exact', normalizedModelRef: QWEN, source: 'transcript', turns: 2 };
    expect(await sidecarOf('named')).toMatchObject({ stage: 'exited', servedModel });
    expect(await sidecarOf('demanded')).toMatchObject({ stage: 'exited', servedModel });
  });

  it('AR-9 another model than the selected one, named there alone, is a mismatch, from the first turn or half-way', async () => {
    expect(await sidecarOf('substituted')).toMatchObject({
      stage: 'served-model-mismatch',
      exitCode: 0,
      servedModel: { source: 'transcript', deviation: { turn: 1, raw: 'other-1' } },
    });
    expect(await sidecarOf('changed')).toMatchObject({
      stage: 'served-model-mismatch',
      servedModel: { reported: ['qwen3.7-max', 'elsewhere-2'], deviation: { turn: 2 } },
    });
  });

  it('AR-9 a mismatch outranks a failure of the agent itself, which would be tried again', async () => {
    expect(await sidecarOf('failed')).toMatchObject({
      stage: 'served-model-mismatch',
      endEvidence: 'negative',
      transientFailure: true,
    });
  });

  it('AR-10 one that is too long, or no file, leaves turns unknown, which is less than a run may demand', async () => {
    for (const name of ['endless', 'pipe'] as const) {
      expect(await sidecarOf(name)).toMatchObject({
        stage: 'served-model-mismatch',
        servedModel: { level: 'unknown', source: 'none' },
      });
    }
  });

  it('AR-7 one that is not there leaves the served model unknown, which passes', async () => {
    expect(await sidecarOf('missing')).toMatchObject({
      stage: 'exited',
      endEvidence: 'positive',
      servedModel: { level: 'unknown', source: 'none', turns: 3 },
    });
  });

  it('AR-9 in a HOME of the agent’s own is read before that is taken away', async () => {
    expect((await sidecarOf('ownHome'))?.stage).toBe('served-model-mismatch');
  });
});
