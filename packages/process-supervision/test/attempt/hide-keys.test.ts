import { findProvider } from '@bailiwick/agent-providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyHider } from '../../src/attempt/hide-keys.ts';

const KEY = 'sk-0123456789abcdefghijklmnopqrstuv';
const hide = keyHider({ env: { MY_TOKEN: KEY, HOME: '/home/somebody' } }, findProvider('codex'));

describe('what an agent says', () => {
  it('is told without the keys that its environment names, and with all else', () => {
    expect(hide(`refused: ${KEY}, ${KEY} for /home/somebody`)).toBe('refused: [key], [key] for /home/somebody');
  });

  it('is told without a key in whose middle it was cut', () => {
    for (let length = 8; length < KEY.length; length += 1) {
      expect(hide(`the key is ${KEY.slice(0, length)}…`)).toBe('the key is [key]…');
      expect(hide(`"${KEY.slice(0, length)}…" was its last word`)).toBe('"[key]…" was its last word');
    }
  });

  it('stays as it is where it holds less of a key than tells anything', () => {
    expect(hide('sk-0123…')).toBe('sk-0123…');
    expect(hide('the end …')).toBe('the end …');
    expect(hide(`${KEY.slice(0, 12)} was not cut`)).toBe(`${KEY.slice(0, 12)} was not cut`);
  });

  it('never holds a key, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat({ max: 60 }), (before, after, length) => {
        const shown = hide(`${`${before}${KEY}${after}`.slice(0, length)}…`);
        return !shown.includes(KEY) && !/sk-01234.*…$/.test(shown.slice(-KEY.length - 1));
      }),
    );
  });
});
