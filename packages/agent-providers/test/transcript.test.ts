import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentTurn, findProvider, providers, type TranscriptReader } from '../src/index.ts';

const ROOT = join(import.meta.dirname, 'fixtures', 'transcripts');
const SESSION = '6f1c0b52-3b0e-4a0e-9d59-0d4a8f3f6a11';

const WITH_TRANSCRIPT = [...providers.values()]
  .filter(({ transcript }) => transcript !== undefined)
  .map(({ id }) => id);

function transcriptOf(provider: string) {
  const { transcript } = findProvider(provider);
  if (transcript === undefined) throw new Error(`${provider} has no transcript`);
  return transcript;
}

function readAll(reader: TranscriptReader, chunks: readonly Uint8Array[]): readonly AgentTurn[] {
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

function turnsIn(provider: string, text: string): readonly AgentTurn[] {
  return readAll(transcriptOf(provider).reader(), [Buffer.from(text)]);
}

function fixture(provider: string, scenario = 'other-model'): Uint8Array {
  const name = readdirSync(ROOT).find((file) => file.startsWith(`${provider}-`) && file.endsWith(`-${scenario}.jsonl`));
  if (name === undefined) throw new Error(`no transcript of ${provider}`);
  return readFileSync(join(ROOT, name));
}

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('the transcript', () => {
  it('AR-10 is known of the programs whose own names the served model, and of no other', () => {
    expect(WITH_TRANSCRIPT).toEqual(['claude', 'pi', 'qwen']);
  });

  it.each([
    [
      'claude',
      [
        { kind: 'turn', servedModel: 'claude-sonnet-4-6', answerId: 'msg_fake_0' },
        { kind: 'turn', servedModel: 'zz-served-77', answerId: 'msg_fake_2' },
      ],
    ],
    [
      'pi',
      [
        { kind: 'turn', servedModel: null, answerId: 'chatcmpl-fake_0' },
        { kind: 'turn', servedModel: 'some-other-model-9', answerId: 'chatcmpl-fake_1' },
      ],
    ],
    [
      'qwen',
      [
        { kind: 'turn', servedModel: 'qwen3.7-max' },
        { kind: 'turn', servedModel: 'some-other-model-9' },
      ],
    ],
  ])('AR-9 AR-10 of %s names the model that served each turn, not the one that was asked for', (provider, turns) => {
    expect(readAll(transcriptOf(provider).reader(), [fixture(provider)])).toEqual(turns);
  });

  it.each([
    ['claude', '/home/u/.claude', 'CLAUDE_CONFIG_DIR', `projects/*/${SESSION}{.jsonl,/subagents/**/agent-*.jsonl}`],
    ['pi', '/home/u/.pi/agent', 'PI_CODING_AGENT_DIR', `sessions/*/*_${SESSION}.jsonl`],
    ['qwen', '/home/u/.qwen', 'QWEN_HOME', `projects/*/chats/${SESSION}.jsonl`],
  ])('of %s is found by its session below HOME, or where its variable says', (provider, folder, variable, pattern) => {
    const transcript = transcriptOf(provider);
    expect(transcript.placeOf({ env: { HOME: '/home/u' }, sessionId: SESSION })).toEqual({ folder, pattern });
    const env = { HOME: '/home/u', [variable]: '/elsewhere' };
    expect(transcript.placeOf({ env, sessionId: SESSION })).toEqual({ folder: '/elsewhere', pattern });
  });

  it.each(WITH_TRANSCRIPT)(
    'of %s has no place without a HOME, or for an id that could mean other files',
    (provider) => {
      const transcript = transcriptOf(provider);
      expect(transcript.placeOf({ env: {}, sessionId: SESSION })).toBeUndefined();
      expect(transcript.placeOf({ env: { HOME: 'u' }, sessionId: SESSION })).toBeUndefined();
      for (const sessionId of ['', '*', '../a', 'a/b', '{a,b}']) {
        expect(transcript.placeOf({ env: { HOME: '/home/u' }, sessionId })).toBeUndefined();
      }
    },
  );

  it('AR-10 of claude has the turns of a subagent’s subagent, which the stream never shows, in a file of its own', () => {
    const turns = readAll(transcriptOf('claude').reader(), [fixture('claude', 'subagent-of-subagent')]);
    expect(turns.map(({ servedModel, answerId }) => [servedModel, answerId])).toEqual([
      ['zz-deeper-5', 'msg_4'],
      ['zz-deeper-5', 'msg_5'],
    ]);
  });

  it('AR-10 of qwen has a turn of which nothing is known where an answer is missing', () => {
    const said = { type: 'assistant', model: 'asked' };
    const answered = {
      type: 'system',
      systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_response', model: 'served' } },
    };
    expect(turnsIn('qwen', lines(answered, said, said)).map(({ servedModel }) => servedModel)).toEqual([
      'served',
      null,
    ]);
  });

  it('AR-10 of claude counts a message that comes in several rows once, and none that it wrote itself', () => {
    const row = (id: string, model: string) => ({ type: 'assistant', message: { id, model } });
    const text = lines(row('m1', 'a'), row('m1', 'a'), row('m2', '<synthetic>'), row('m3', 'b'));
    expect(turnsIn('claude', text).map(({ servedModel }) => servedModel)).toEqual(['a', 'b']);
  });

  it.each(WITH_TRANSCRIPT)('of %s is read past rows that are torn, unknown or none', (provider) => {
    const bytes = Buffer.from(fixture(provider)).toString();
    const torn = `{"type":"assistant","mess\n"assistant"\n[1]\n{"type":"brand-new","of":"assistant"}\n\n`;
    const whole = turnsIn(provider, bytes);
    expect(turnsIn(provider, `${torn}${bytes}${torn}`)).toEqual(whole);
    expect(turnsIn(provider, `${bytes}{"type":"assistant","message":{"role":"assis`)).toEqual(whole);
  });

  it.each(WITH_TRANSCRIPT)('of %s gives the same turns however it is cut into chunks', (provider) => {
    const bytes = fixture(provider);
    const whole = readAll(transcriptOf(provider).reader(), [bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 10 }), (places) => {
        const borders = [0, ...places.sort((a, b) => a - b), bytes.length];
        const chunks = borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
        expect(readAll(transcriptOf(provider).reader(), chunks)).toEqual(whole);
      }),
      { numRuns: 15 },
    );
  });

  it.each(WITH_TRANSCRIPT)('of %s never makes its reader throw, whatever its rows hold', (provider) => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const names = ['type', 'message', 'systemPayload', 'model', 'id', 'role', 'responseId', 'uiEvent'];
    const row = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.constant('assistant')));
    fc.assert(
      fc.property(row, fc.uint8Array({ maxLength: 100 }), (fields, noise) => {
        const text = Buffer.from(`${JSON.stringify({ ...fields, word: 'assistant qwen-code.api_response' })}\n`);
        readAll(transcriptOf(provider).reader(), [noise, text]);
      }),
    );
  });
});
