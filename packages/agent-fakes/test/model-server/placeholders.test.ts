import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from '../../src/model-server/placeholders.ts';

describe('a placeholder', () => {
  const headers = '**Role:** implementer\n**Result Path:** /tmp/a box/result.json\n';

  it('is the value of a header line, also where the program numbers the lines of what it has read', () => {
    expect(fillPlaceholders('> {{Result Path}}', [headers])).toBe('> /tmp/a box/result.json');
    expect(fillPlaceholders('{{Result Path}}', [headers.replace('**Result', '  2\t**Result')])).toBe(
      '/tmp/a box/result.json',
    );
  });

  it('is found in a tool’s result that is JSON within a string', () => {
    const result = JSON.stringify([{ query: 'cat prompt.md', result: headers }]);
    expect(fillPlaceholders('{{Result Path}}', ['something else', result])).toBe('/tmp/a box/result.json');
  });

  it('is the file that a prompt of one line names', () => {
    const line = 'Your task is in the file /tmp/my prompts/a.md - read it in full and do exactly what it says.';
    expect(fillPlaceholders('cat "{{Prompt File}}"', [line])).toBe('cat "/tmp/my prompts/a.md"');
  });

  it('stays as it is where nothing says its value', () => {
    expect(fillPlaceholders('{{Result Path}} {{Prompt File}}', ['nothing'])).toBe('{{Result Path}} {{Prompt File}}');
  });
});
