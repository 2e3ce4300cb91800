import { describe, expect, it } from 'vitest';
import { CLEAN_EXIT, seenIn, seenInText } from './support/streams.ts';

const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('ST-7 an exit code of 0 is no evidence', () => {
  it.each([
    ['claude', 'interrupted', 'absent', 'no result event came before exit code 0'],
    ['claude', 'api-error', 'negative', 'result: is_error api_error 529 overloaded_error: API Error: 529'],
    ['claude', 'max-turns', 'negative', 'error_max_turns'],
    ['claude', 'sandbox-unavailable', 'negative', 'sandbox_required_unavailable'],
    ['codex', 'hang-then-sigterm', 'absent', 'no turn.completed event'],
    ['gemini', 'no-result', 'absent', 'no result event'],
    ['gemini', 'http-500', 'negative', '500 Internal Server Error'],
    ['opencode', 'auto-rejected', 'absent', 'write failed: The user rejected permission'],
    ['opencode', 'cut-off', 'absent', 'no step_finish event with reason "stop"'],
    ['opencode', 'http-429', 'negative', 'Too Many Requests'],
    ['opencode', 'unknown-model', 'negative', 'Model not found'],
    ['pi', 'http-401', 'negative', 'agent_settled after "error" 401'],
    ['pi', 'http-500', 'negative', 'agent_settled after "error" 500'],
    ['pi', 'hang-then-sigterm', 'absent', 'no agent_settled event'],
    ['qwen', 'http-500', 'negative', 'error_during_execution'],
    ['qwen', 'nothing-ran', 'absent', 'no result event came before exit code 0: Update successful!'],
    ['copilot', 'sigterm-mid-answer', 'negative', 'result after an abort'],
    ['copilot', 'http-429', 'negative', 'session.error rate_limit'],
    ['cline', 'refused-tool', 'negative', 'run_aborted'],
    ['cline', 'http-500', 'negative', 'run_result: error 500 scripted 500'],
  ])('%s, %s: %s', (provider, scenario, endEvidence, reason) => {
    const { verdict } = seenIn(provider, scenario, CLEAN_EXIT);
    expect(verdict.endEvidence).toBe(endEvidence);
    expect(verdict.reason).toContain(reason);
  });
});

describe('ST-7 positive evidence', () => {
  it.each(['claude', 'codex', 'pi'])('of %s is there too when nothing was written', (provider) => {
    expect(seenIn(provider, 'nothing-written').verdict.endEvidence).toBe('positive');
  });

  it('of claude names the tool calls that were denied', () => {
    expect(seenIn('claude', 'denied').verdict.reason).toBe('result: completed, 1 tool call denied');
  });

  it('of claude is there without terminal_reason, as older versions print it', () => {
    const result = lines({ type: 'result', subtype: 'success', is_error: false });
    expect(seenInText('claude', result).verdict.endEvidence).toBe('positive');
  });

  it('is not there when is_error is missing, whatever the subtype says', () => {
    const result = lines({ type: 'result', subtype: 'success', terminal_reason: 'completed' });
    expect(seenInText('claude', result).verdict.endEvidence).toBe('negative');
    expect(seenInText('qwen', lines({ type: 'result', subtype: 'success' })).verdict.endEvidence).toBe('negative');
  });

  it('stands beside a non-zero exit, which its reason names', () => {
    const { verdict } = seenIn('codex', 'success', { exitCode: null, signal: 'SIGKILL' });
    expect(verdict).toEqual({
      endEvidence: 'positive',
      reason: 'turn.completed, then signal SIGKILL',
      transient: false,
    });
  });

  it('is taken back by a failure that comes after it', () => {
    const { verdict } = seenInText('codex', lines({ type: 'turn.completed' }, { type: 'error', message: 'boom' }));
    expect(verdict).toEqual({ endEvidence: 'negative', reason: 'failed after its end: boom', transient: false });
  });

  it('is taken back by work that starts after it', () => {
    const first = { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed' };
    const more = { type: 'assistant', message: { id: 'm2', model: 'm', content: [] } };
    expect(seenInText('claude', lines(first, more)).verdict.endEvidence).toBe('absent');
    expect(seenInText('claude', lines(first, more, first)).verdict.endEvidence).toBe('positive');
    const stop = { type: 'step_finish', part: { reason: 'stop' } };
    expect(seenInText('opencode', lines(stop, { type: 'step_start' })).verdict.endEvidence).toBe('absent');
  });

  it('survives failures that the program got over', () => {
    expect(seenIn('claude', 'retry-then-success').verdict.endEvidence).toBe('positive');
  });

  it('of opencode is never there once an error event came', () => {
    const events = [
      { type: 'error', error: { name: 'E' } },
      { type: 'step_start' },
      { type: 'step_finish', part: { reason: 'stop' } },
    ];
    expect(seenInText('opencode', lines(...events)).verdict.endEvidence).toBe('negative');
  });

  it('of pi needs both a last message that stopped and a settled agent', () => {
    const stopped = { type: 'message_end', message: { role: 'assistant', stopReason: 'stop' } };
    const settled = (aborted: boolean) => ({ type: 'agent_settled', aborted });
    expect(seenInText('pi', lines(settled(false))).verdict.endEvidence).toBe('negative');
    expect(seenInText('pi', lines(stopped)).verdict.endEvidence).toBe('absent');
    expect(seenInText('pi', lines(stopped, settled(true))).verdict.endEvidence).toBe('negative');
    expect(seenInText('pi', lines(stopped, settled(false))).verdict.endEvidence).toBe('positive');
  });
});

describe('RT-1 a failure is transient', () => {
  it.each([
    ['claude', 'api-error', true],
    ['claude', 'max-turns', false],
    ['codex', 'http-500', true],
    ['codex', 'http-429', true],
    ['codex', 'connection-reset', true],
    ['codex', 'http-401', false],
    ['gemini', 'http-500', true],
    ['opencode', 'http-429', true],
    ['opencode', 'unknown-model', false],
    ['pi', 'http-500', true],
    ['pi', 'http-429', true],
    ['pi', 'http-401', false],
    ['pi', 'connection-reset', true],
    ['qwen', 'http-500', true],
    ['copilot', 'http-429', true],
    ['cline', 'http-500', true],
    ['cline', 'refused-tool', false],
  ])('%s, %s: %s', (provider, scenario, transient) => {
    expect(seenIn(provider, scenario, { exitCode: 1, signal: null }).verdict.transient).toBe(transient);
  });

  it.each([
    [144, false],
    [145, false],
    [173, true],
    [244, true],
    [42, false],
    [1, false],
  ])('where gemini only left exit code %i: %s', (exitCode, transient) => {
    expect(seenInText('gemini', '', { exitCode, signal: null }).verdict).toMatchObject({
      endEvidence: 'absent',
      transient,
    });
  });

  it('never where a quota is used up, although its status is 429', () => {
    const event = { type: 'turn.failed', error: { message: 'unexpected status 429: insufficient_quota' } };
    expect(seenInText('codex', lines(event)).verdict.transient).toBe(false);
  });
});
