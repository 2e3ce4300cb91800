import { describe, expect, it } from 'vitest';
import { findProvider } from '../src/index.ts';
import { questions, seenIn, seenInText } from './support/streams.ts';

describe('waiting for input', () => {
  it('is seen where a program says so in its events', () => {
    expect(questions(seenIn('copilot', 'asks-a-person'))).toEqual(['Which file do you mean?']);
    const control = JSON.stringify({
      type: 'control_request',
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    });
    expect(questions(seenInText('claude', `${control}\n`))).toEqual(['permission for Bash']);
  });

  it.each([
    'Do you want to overwrite it? [y/N]',
    'Press Enter to continue',
    'Please visit the following URL to authorize:',
    'Enter the authorization code:',
    'Password:',
  ])('is seen in plain text: %s', (text) => {
    expect(questions(seenInText('gemini', `${text}\n`))).toEqual([text]);
  });

  it.each(['all 3 files are done', 'the password field is empty now', '{"type":"x","text":"[y/N]"}'])(
    'is not seen in: %s',
    (text) => {
      expect(questions(seenInText('custom', `${text}\n`))).toEqual([]);
    },
  );

  it('is seen in an unfinished line when asked, since a prompt has no line end', () => {
    const reader = findProvider('codex').reader();
    expect(reader.push(Buffer.from('Trust this folder? (y/n) '))).toEqual([]);
    expect(reader.idle()).toEqual([{ kind: 'waiting-for-input', what: 'Trust this folder? (y/n)' }]);
    expect(reader.idle()).toHaveLength(1);
    reader.end();
    expect(reader.idle()).toEqual([]);
  });
});
