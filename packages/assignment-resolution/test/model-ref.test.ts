import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelRef, MAX_MODEL_REF_LENGTH, parseModelRef, providerOfModelRef } from '../src/index.ts';
import { errorOf } from './support.ts';

const accepted = [
  'claude/opus',
  'claude/claude-opus-4-5@20251101',
  'codex/gpt-5.5@2026-04-23',
  'opencode/openrouter/z-ai/glm-5.3',
  'pi/anthropic.claude-opus-4-6-v1:0',
  'custom/aider',
];
const refused: readonly unknown[] = [
  '',
  'claude',
  '/opus',
  'claude/',
  'Claude/opus',
  'claude/opus@',
  'claude/@1',
  'claude//opus',
  'claude/opus@1@2',
  'claude/opus ',
  ' claude/opus',
  'claude/op us',
  'claude/opus\n',
  'claude/../opus',
  'claude/-opus',
  'clau de/opus',
  `claude/${'x'.repeat(MAX_MODEL_REF_LENGTH)}`,
  1,
  null,
  undefined,
  {},
  ['claude/opus'],
];

describe('parseModelRef', () => {
  it.each(accepted)('accepts %s', (ref) => {
    expect(parseModelRef(ref)).toBe(ref);
  });

  it.each(refused)('refuses %j', (value) => {
    expect(errorOf('MODEL_REF_INVALID', () => parseModelRef(value)).details).toEqual({ field: 'modelRef' });
  });

  it('throws nothing but its own code, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        if (isModelRef(value)) expect(parseModelRef(value)).toBe(value);
        else errorOf('MODEL_REF_INVALID', () => parseModelRef(value));
      }),
    );
  });

  it('has the provider before its first slash', () => {
    expect(providerOfModelRef(parseModelRef('opencode/openrouter/z-ai/glm-5.3'))).toBe('opencode');
  });
});
