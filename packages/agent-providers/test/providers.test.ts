import { describe, expect, it } from 'vitest';
import {
  checkPromptSize,
  findProvider,
  isProviderError,
  ProviderError,
  type ProviderErrorCode,
  providers,
} from '../src/index.ts';

const CODES: Readonly<Record<ProviderErrorCode, true>> = {
  PROVIDER_UNKNOWN: true,
  PROVIDER_UNSUPPORTED: true,
  REQUEST_INVALID: true,
  DECLARATION_INVALID: true,
  PROMPT_TOO_LARGE: true,
};

describe('the providers', () => {
  it('have these ids', () => {
    const ids = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'qwen', 'copilot', 'cline', 'custom'];
    expect([...providers.keys()]).toEqual(ids);
    for (const [id, provider] of providers) expect(provider.id).toBe(id);
  });

  it('say how far each can be trusted without a boundary or a gateway of ours', () => {
    const facts = [...providers.values()].map((p) =>
      [
        p.id,
        p.session,
        p.repeatedSession,
        p.servedModelSource,
        p.writeCapability.maxBoundaryPrecision,
        p.endEvidence,
      ].join(' '),
    );
    expect(facts).toEqual([
      'claude flag refused stream directory stream',
      'codex reported not-applicable none directory stream',
      'gemini flag refused stream none stream',
      'opencode reported continues none none stream',
      'pi flag continues stream none stream',
      'qwen flag refused transcript worktree stream',
      'copilot flag continues none none stream',
      'cline reported not-applicable none none stream',
      'custom none not-applicable none none exit-code',
    ]);
  });

  it('can all be attested from the wire, save the custom one', () => {
    const without = [...providers.values()].filter((provider) => provider.endpoint === null);
    expect(without.map(({ id }) => id)).toEqual(['custom']);
  });

  it('need HOME, and never both need and refuse a variable', () => {
    for (const { environment } of providers.values()) {
      expect(environment.needs).toContain('HOME');
      expect(environment.needs.filter((name) => environment.never.includes(name))).toEqual([]);
      expect(environment.keys.filter((name) => !environment.needs.includes(name))).toEqual([]);
    }
  });

  it('are refused by name when unknown or unsupported, with what to do instead', () => {
    expect(() => findProvider('nobody')).toThrowError(
      expect.objectContaining({
        code: 'PROVIDER_UNKNOWN',
        providerId: 'nobody',
        hint: expect.stringContaining('"custom"'),
      }),
    );
    expect(() => findProvider('amp')).toThrowError(
      expect.objectContaining({ code: 'PROVIDER_UNSUPPORTED', providerId: 'amp' }),
    );
    expect(() => findProvider('__proto__')).toThrowError(expect.objectContaining({ code: 'PROVIDER_UNKNOWN' }));
  });

  it('refuse a prompt above their limit, before anything is started', () => {
    const codex = findProvider('codex');
    checkPromptSize(codex, codex.maxPromptBytes);
    expect(() => checkPromptSize(codex, codex.maxPromptBytes + 1)).toThrowError(
      expect.objectContaining({ code: 'PROMPT_TOO_LARGE', message: expect.stringContaining('1048576') }),
    );
  });
});

describe('a ProviderError', () => {
  it('has one of these codes', () => {
    expect(Object.keys(CODES)).toEqual([
      'PROVIDER_UNKNOWN',
      'PROVIDER_UNSUPPORTED',
      'REQUEST_INVALID',
      'DECLARATION_INVALID',
      'PROMPT_TOO_LARGE',
    ]);
  });

  it('is recognised when another copy of the package made it', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('@bailiwick/agent-providers/ProviderError')]: true });
    expect(foreign).toBeInstanceOf(ProviderError);
    expect(isProviderError(foreign)).toBe(true);
    expect(isProviderError(new Error('x'))).toBe(false);
    expect(isProviderError(null)).toBe(false);
  });

  it('passes its cause, and has no key for a fact it has not', () => {
    const cause = new Error('below');
    const error = new ProviderError('PROVIDER_UNKNOWN', 'x', { cause });
    expect(error.cause).toBe(cause);
    expect('field' in error).toBe(false);
  });
});
