import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { decidePath } from '../src/index.ts';
import { makePolicy, PROJECT } from './make-policy.ts';

const isPlanned = (plan: string, path: string) =>
  decidePath(makePolicy({ plannedPaths: [plan] }), `${PROJECT}/${path}`).allowed;

describe('the dialect of planned paths', () => {
  it.each([
    ['src', ['src', 'src/a', 'src/.h/b'], ['srcs', 'a/src']],
    ['src/*.ts', ['src/a.ts', 'src/.a.ts', 'src/a\nb.ts'], ['src/a/b.ts', 'src/a.tsx', 'src/a.ts/x']],
    ['src/**', ['src', 'src/a/b', 'src/.h'], ['srcx/a']],
    ['**/*.ts', ['a.ts', 'x/.y/a.ts', 'x\ny/a.ts'], ['a.js']],
    ['src/**/test/**', ['src/test', 'src/a/b/test/c'], ['src/a']],
    ['packages/*/', ['packages/a', 'packages/a/b/c'], ['packages']],
    ['a?c', ['abc', 'a.c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x', ['ax', 'cx', '[a-c]x'], ['dx']],
    ['[!a]x', ['bx', '!x'], ['ax']],
    ['{a,b.?}/c', ['a/c', 'b.1/c'], ['b./c', 'c']],
    ['a\\*b', ['a*b', 'a*b/c'], ['axb']],
    ['a\\[1]', ['a[1]', 'a[1]/x'], ['a1']],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/x/page.tsx']],
    ['app/[...slug]/', ['app/[...slug]/a/b'], ['app']],
    ['app/(group)/*.ts', ['app/(group)/a.ts'], ['app/group/a.ts']],
    ['(a|b)+@!^$"*', ['(a|b)+@!^$"x'], ['a', 'b']],
    ['!src', ['!src/a'], ['src', 'lib']],
    ['@(a|b)*', ['@(a|b)c'], ['a', 'b']],
    ['Src/*', ['Src/a'], ['src/a']],
  ])('%s means what it says', (plan, meant, others) => {
    for (const path of meant) expect(isPlanned(plan, path), path).toBe(true);
    for (const path of others) expect(isPlanned(plan, path), path).toBe(false);
  });

  it.each(['a/{b/c,d}', '{a', 'a}*', 'x[', '*\\', '{1..3}', 'a*b*c*d*e', '{a,b}{c,d}{e,f}{g,h}', 'src/**/../x'])(
    '%s is refused rather than read in some other way',
    (plan) => {
      expect(() => makePolicy({ plannedPaths: [plan] })).toThrow(expect.objectContaining({ code: 'GLOB_INVALID' }));
    },
  );

  it('agrees with picomatch where both have a word', () => {
    const name = fc.constantFrom('a', 'b', '.a', '*', 'a*', '*b', '?', '**', '[ab]', '{a,b}', 'a*b', '*.{a,b}');
    const seen = fc.constantFrom('a', 'b', 'ab', '.a', 'aab', 'x.a', 'c');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 5 }),
        fc.array(seen, { minLength: 1, maxLength: 5 }),
        (plan, path) => {
          const text = plan.join('/');
          // Its `*/**` wants a name for the stars to match, its `a/**` does not; ours never does.
          fc.pre(/[*?[{]/.test(text) && !/(^|[*?\]}]\/)\*\*$/.test(text));
          const expected = picomatch(text, { dot: true, nonegate: true, noextglob: true })(path.join('/'));
          expect(isPlanned(text, path.join('/'))).toBe(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('takes linear time over the names that a worker may choose', () => {
    const policy = makePolicy({ plannedPaths: ['**/a/**/a/**/a/**/b', '**/(x+)+y/*-*-*z'] });
    const paths = ['a/'.repeat(1900), `${'x'.repeat(250)}/`.repeat(15), `${'-'.repeat(250)}/`.repeat(15)];
    for (const path of paths) expect(decidePath(policy, `${PROJECT}/${path}q`).area).toBe('out-of-plan');
  });
});
