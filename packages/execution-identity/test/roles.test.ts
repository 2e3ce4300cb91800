import { describe, expect, it } from 'vitest';
import { Audience, audienceOfRole, parseAudience, parseRole, Role, roleOfAudience } from '../src/index.ts';
import { refusal } from './expect-code.ts';

describe('roles and audiences', () => {
  it('ID-10 each audience goes with exactly one role, and back', () => {
    const pairs = Object.values(Audience).map((audience) => [audience, roleOfAudience(audience)]);
    expect(pairs).toEqual([
      ['implementation-executor', 'implementer'],
      ['implementation-verifier', 'verifier'],
      ['analysis-worker', 'analyst'],
      ['report-writer', 'report-writer'],
      ['translator', 'translator'],
    ]);
    for (const audience of Object.values(Audience)) expect(audienceOfRole(roleOfAudience(audience))).toBe(audience);
    expect(new Set(pairs.map(([, role]) => role))).toEqual(new Set(Object.values(Role)));
  });

  it('names outside the closed sets are refused, inherited property names too', () => {
    for (const bad of ['', 'Implementer', 'toString', '__proto__', 'constructor', null, 1, ['translator'], {}]) {
      refusal('ROLE_INVALID', () => parseRole(bad));
      expect(refusal('AUDIENCE_INVALID', () => parseAudience(bad, 'x.json')).path).toBe('x.json');
    }
  });
});
