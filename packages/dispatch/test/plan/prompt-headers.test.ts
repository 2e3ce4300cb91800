import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDispatchError, parsePromptHeaders, REQUIRED_HEADERS } from '../../src/index.ts';

const WHOLE = REQUIRED_HEADERS.map((name) => `**${name}:** a ${name.toLowerCase()}`);

function codeOf(text: string): string {
  try {
    parsePromptHeaders(text, '/prompt.md');
    return 'accepted';
  } catch (error) {
    return isDispatchError(error) ? error.code : 'not coded';
  }
}

describe('the headers of a prompt', () => {
  it('PL-5 are read where each stands once', () => {
    expect(parsePromptHeaders(WHOLE.join('\n'), '/prompt.md')['Result Path']).toBe('a result path');
  });

  it.each(REQUIRED_HEADERS)('PL-5 refuses a prompt without %s', (name) => {
    expect(codeOf(WHOLE.filter((line) => !line.startsWith(`**${name}:**`)).join('\n'))).toBe('PROMPT_INVALID');
  });

  it.each(REQUIRED_HEADERS)('PL-5 TR-4 refuses a prompt with %s twice, or empty', (name) => {
    expect(codeOf([...WHOLE, `**${name}:** again`].join('\n'))).toBe('PROMPT_INVALID');
    expect(codeOf(WHOLE.map((line) => (line.startsWith(`**${name}:**`) ? `**${name}:** ` : line)).join('\n'))).toBe(
      'PROMPT_INVALID',
    );
  });

  it('PL-5 takes no quoted line for a header', () => {
    expect(codeOf([...WHOLE, '> **Role:** implementer'].join('\n'))).toBe('accepted');
  });

  it('PL-5 answers any text with a header set or a coded error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codeOf(text) !== 'not coded'));
  });
});
