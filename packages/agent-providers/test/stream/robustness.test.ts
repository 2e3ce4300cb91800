import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findProvider, MAX_LINE_BYTES, providers } from '../../src/index.ts';
import {
  claims,
  fixtureBytes,
  lastLine,
  readAll,
  seenInText,
  servedModels,
  sessions,
  streamFixtures,
} from '../support/streams.ts';

const IDS = [...providers.keys()];

/** Cuts bytes at the given places. */
function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const borders = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
}

describe.each(streamFixtures())('%s/%s', (provider, file) => {
  const bytes = fixtureBytes(provider, file);
  const whole = readAll(findProvider(provider).reader(), [bytes]);

  it('gives the same observations and verdict however it is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (places) => {
        expect(readAll(findProvider(provider).reader(), cutAt(bytes, places))).toEqual(whole);
      }),
      { numRuns: 15 },
    );
  });

  it('gives no positive evidence when it is cut off before its last event', () => {
    const text = Buffer.from(bytes).toString();
    const cut = text.slice(0, text.trimEnd().lastIndexOf('\n') + 1);
    const evidence = seenInText(provider, cut).verdict.endEvidence;
    expect(evidence === 'positive' && provider !== 'custom').toBe(false);
  });
});

describe.each(IDS)('the reader of %s', (provider) => {
  it('never throws on random bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), fc.boolean(), (chunks, toStderr) => {
        const reader = findProvider(provider).reader();
        for (const chunk of chunks) reader.push(chunk, toStderr ? 'stderr' : 'stdout');
        reader.idle();
        reader.end();
        reader.verdict({ exitCode: 1, signal: null });
      }),
    );
  });

  it('never throws on a known event whose fields are anything', () => {
    const [types, fields] = vocabularyOf(provider);
    const anyEvent = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.constantFrom(...types), anyEvent, fc.jsonValue(), (type, event, nested) => {
        const line = { ...event, type, message: event['message'] ?? nested, item: event['item'] ?? nested };
        readAll(findProvider(provider).reader(), [Buffer.from(`${JSON.stringify(line)}\n`)]);
      }),
      { numRuns: 300 },
    );
  });

  it('skips events it does not know', () => {
    const { observations } = seenInText(provider, '{"type":"brand.new","data":{"x":1}}\n[1]\n');
    expect(observations.filter(({ kind }) => kind !== 'noise' && kind !== 'line')).toEqual([]);
  });

  it('yields nothing after its end', () => {
    const reader = findProvider(provider).reader();
    reader.push(Buffer.from('text'));
    reader.end();
    expect([...reader.push(Buffer.from('more\n')), ...reader.end()]).toEqual([]);
  });
});

/** Types and field names that occur in a provider's fixtures. */
function vocabularyOf(provider: string): readonly [readonly string[], readonly string[]] {
  const types = new Set(['none']);
  const fields = new Set(['type', '__proto__']);
  for (const [id, file] of streamFixtures()) {
    if (id !== provider) continue;
    const text = Buffer.from(fixtureBytes(id, file)).toString();
    for (const [, name] of text.matchAll(/"([\w$]{1,30})":/g)) if (name !== undefined) fields.add(name);
    for (const [, type] of text.matchAll(/^\{[^{}]*?"type":"([\w.]+)"/gm)) if (type !== undefined) types.add(type);
  }
  return [[...types], [...fields]];
}

describe('noise', () => {
  const event = '{"type":"assistant","session_id":"s","message":{"id":"m","model":"served","content":[]}}';

  it('between events is counted and does no harm', () => {
    const seen = seenInText('claude', `warning: x\n${event}\n\u0000\ufffd\n{"torn":\n${event}\n`);
    expect(servedModels(seen)).toEqual(['served']);
    expect(seen.observations.filter(({ kind }) => kind === 'noise')).toHaveLength(3);
  });

  it('before an event on the same line is cut away', () => {
    const seen = seenInText('claude', `Reading... \u001b[2K${event}\n`);
    expect(servedModels(seen)).toEqual(['served']);
    expect(seen.observations).toContainEqual({ kind: 'noise', bytes: 15 });
  });

  it('is shown as a line only until the first event', () => {
    expect(lastLine(seenInText('claude', `cannot start\n`))).toBe('cannot start');
    expect(lastLine(seenInText('claude', `${event}\nDeprecationWarning\n`))).toBeUndefined();
  });

  it('on stderr is shown, and never taken for an event', () => {
    const reader = findProvider('claude').reader();
    const result = '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"}\n';
    const observations = [...reader.push(Buffer.from(result), 'stderr'), ...reader.end()];
    expect(observations.map(({ kind }) => kind)).toEqual(['line']);
    expect(reader.verdict({ exitCode: 0, signal: null }).endEvidence).toBe('absent');
  });

  it('that a program prints on every run is left out', () => {
    const reader = findProvider('codex').reader();
    expect(reader.push(Buffer.from('Reading additional input from stdin...\n'), 'stderr')).toEqual([]);
  });

  it('cannot drive a terminal: no control character is left in a line', () => {
    const text = JSON.stringify({
      type: 'item.completed',
      item: { type: 'agent_message', text: 'a\u001b]0;t\u0007b\u001b[31m\u202ec\t.' },
    });
    expect(lastLine(seenInText('codex', `${text}\n`))).toBe('ab c .');
  });

  it('of cline on stderr is read as its failure, and takes no end back', () => {
    const reader = findProvider('cline').reader();
    reader.push(Buffer.from('{"type":"run_result","finishReason":"completed"}\n'));
    const failure = reader.push(Buffer.from('{"type":"error","message":"fetch failed"}\n'), 'stderr');
    expect(failure).toEqual([{ kind: 'failure', message: 'fetch failed', transient: true }]);
    expect(reader.verdict({ exitCode: 0, signal: null }).endEvidence).toBe('positive');
  });
});

describe('an enormous line', () => {
  const filler = 'x'.repeat(MAX_LINE_BYTES);

  it('still yields the served model and the claim that stand before the cut', () => {
    const write = { type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/a', content: filler } };
    const message = { id: 'm', model: 'served', content: [write] };
    const seen = seenInText('claude', `${JSON.stringify({ type: 'assistant', session_id: 's', message })}\n`);
    expect(servedModels(seen)).toEqual(['served']);
    expect(sessions(seen)).toEqual(['s']);
    expect(claims(seen)).toEqual(['/a']);
    expect(seen.observations[0]?.kind).toBe('noise');
  });

  it('never takes a name for whole that the cut went through', () => {
    const event = `{"type":"assistant","message":{"id":"m","model":"${filler}"}}\n`;
    expect(servedModels(seenInText('claude', event))).toEqual([null]);
  });

  it.each([
    ['claude', { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' }],
    ['codex', { type: 'turn.completed' }],
    ['gemini', { type: 'result', status: 'success' }],
    ['opencode', { type: 'step_finish', part: { reason: 'stop' } }],
    ['qwen', { type: 'result', is_error: false }],
    ['copilot', { type: 'result', exitCode: 0 }],
    ['cline', { type: 'run_result', finishReason: 'completed' }],
  ])('ST-7 is no evidence of an end: %s', (provider, event) => {
    const line = `${JSON.stringify({ ...event, filler })}\n`;
    expect(seenInText(provider, line).verdict.endEvidence).toBe('absent');
  });

  it('that is no event costs only itself', () => {
    const seen = seenInText('codex', `${filler}!!\n{"type":"thread.started","thread_id":"t"}\n`);
    expect(seen.observations).toContainEqual({ kind: 'noise', bytes: MAX_LINE_BYTES + 2 });
    expect(sessions(seen)).toEqual(['t']);
  });

  it('of nothing but brackets is survived', () => {
    const seen = seenInText('codex', `${'['.repeat(MAX_LINE_BYTES + 10)}\n${'{"a":'.repeat(300_000)}\n`);
    expect(seen.verdict.endEvidence).toBe('absent');
  });
});
