import { describe, expect, it } from 'vitest';
import { seenIn, seenInText, servedModels } from './support/streams.ts';

describe('the served model', () => {
  it.each([
    ['claude', ['zz-served-77', 'zz-served-77', 'zz-served-77']],
    ['gemini', ['zz-served-77']],
    ['pi', ['zz-served-77', 'zz-served-77', 'zz-served-77']],
    ['codex', ['zz-served-77', null]],
  ])('AR-9 of %s is seen in the stream when it is another one', (provider, models) => {
    expect(servedModels(seenIn(provider, 'other-model'))).toEqual(models);
  });

  it('AR-10 is attested for every turn, so that a change half-way shows', () => {
    const models = servedModels(seenIn('claude', 'model-changes-half-way'));
    expect(models).toEqual(['claude-sonnet-5', 'claude-sonnet-5', 'claude-haiku-4-5']);
  });

  it('AR-10 of claude is attested for the turns of a subagent too', () => {
    const [own, other] = ['claude-sonnet-4-6', 'zz-served-77'];
    expect(servedModels(seenIn('claude', 'subagents'))).toEqual([own, own, other, other, own]);
  });

  it('AR-10 of one message that comes in several events is one turn', () => {
    const event = (model: string) =>
      `${JSON.stringify({ type: 'assistant', message: { id: 'm', model, content: [] } })}\n`;
    expect(servedModels(seenInText('claude', event('a') + event('a') + event('b')))).toEqual(['a', 'b']);
  });

  it('AR-10 is never taken from what was asked for, nor from a message that the program wrote itself', () => {
    const init = JSON.stringify({ type: 'system', subtype: 'init', model: 'asked' });
    const synthetic = JSON.stringify({ type: 'assistant', message: { id: 'm', model: '<synthetic>', content: [] } });
    const result = JSON.stringify({ type: 'result', modelUsage: { asked: {} } });
    expect(servedModels(seenInText('claude', `${init}\n${synthetic}\n${result}\n`))).toEqual([]);
    expect(servedModels(seenInText('gemini', `${JSON.stringify({ type: 'init', model: 'asked' })}\n`))).toEqual([]);
  });

  it('AR-10 is never taken from prose', () => {
    const text = JSON.stringify({
      type: 'item.completed',
      item: { type: 'agent_message', text: 'model rerouted: a -> b' },
    });
    expect(servedModels(seenInText('codex', `${text}\n`))).toEqual([]);
  });

  it('AR-10 of a message without a name is unseen, and still counts as a turn', () => {
    expect(servedModels(seenInText('claude', '{"type":"assistant","message":{"id":"m"}}\n'))).toEqual([null]);
  });
});
