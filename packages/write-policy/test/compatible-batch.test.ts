import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BatchMember,
  checkCompatibleBatch,
  decidePath,
  dropBoxPath,
  runWorktreePath,
  type WritePolicy,
} from '../src/index.ts';
import { makePolicy, PROJECT, type TestRequest } from './make-policy.ts';

function member(dispatchLabel: string, request: TestRequest = {}): BatchMember {
  const dropBox = dropBoxPath({ projectRoot: PROJECT, invocationRef: dispatchLabel });
  return {
    dispatchLabel,
    contract: { policy: makePolicy({ dropBox, artifactPaths: [`${dropBox}/result.json`], ...request }) },
  };
}

const plan = (label: string, ...plannedPaths: string[]) => member(label, { plannedPaths });

function conflict(a: BatchMember, b: BatchMember): boolean {
  try {
    checkCompatibleBatch([a, b]);
    return false;
  } catch {
    return true;
  }
}

describe('checkCompatibleBatch', () => {
  it('WP-7 refuses two that own the same source, and names both and the path', () => {
    expect(() =>
      checkCompatibleBatch([plan('one', 'src/a', 'lib'), member('v', { role: 'verifier' }), plan('two', 'lib/x.ts')]),
    ).toThrow(
      expect.objectContaining({
        code: 'BATCH_INCOMPATIBLE',
        between: ['one', 'two'],
        path: `${PROJECT}/lib`,
        message: expect.stringMatching(/one and two .*\/lib .*\/lib\/x\.ts/),
      }),
    );
  });

  it.each([
    [['src'], ['src']],
    [['src'], ['SRC/x']],
    [['src/**'], ['src/a/b.ts']],
    [['**/*.ts'], ['docs/a.md']],
    [['src/a*'], ['src/ab/c']],
    [['src/*.ts'], ['src']],
    [['src/{a,b}/x'], ['src/b']],
    [['app/[id]/a.ts'], ['app/[slug]/b.ts']],
    [[], ['docs']],
    [[], []],
  ])('WP-7 takes plans %j and %j for overlapping', (a, b) => {
    expect(conflict(plan('one', ...a), plan('two', ...b))).toBe(true);
    expect(conflict(plan('two', ...b), plan('one', ...a))).toBe(true);
  });

  it.each([
    [['src/a'], ['src/ab', 'src/b']],
    [['src/a*'], ['src/b*', 'src/c/**']],
    [['packages/a/**'], ['packages/b/**', 'docs/*.md']],
    [['a?c'], ['b']],
  ])('WP-7 lets plans %j and %j run together', (a, b) => {
    expect(conflict(plan('one', ...a), plan('two', ...b))).toBe(false);
  });

  it('WP-7 lets worktrees apart from each other run together, a run’s own below the project included', () => {
    const worktree = runWorktreePath({ projectRoot: PROJECT, runId: 'r-1' });
    checkCompatibleBatch([member('one'), member('two', { worktree }), member('three', { worktree: `${worktree}2` })]);
    expect(conflict(member('one'), member('two', { worktree: `${PROJECT}/trees/r-1` }))).toBe(true);
  });

  it('WP-7 refuses the same artifact or drop box', () => {
    const shared = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'x' });
    const at = (label: string, name: string) =>
      member(label, { role: 'analyst', dropBox: shared, artifactPaths: [`${shared}/${name}`] });
    expect(() => checkCompatibleBatch([at('one', 'r'), at('two', 'r')])).toThrow(/both owe the artifact .*\/r/);
    expect(() => checkCompatibleBatch([at('one', 'r'), at('two', 's')])).toThrow(/drop box/);
  });

  it('WP-7 lets verifiers share auxiliary roots', () => {
    const request = { role: 'verifier', auxiliaryRoots: ['/var/layer'] } as const;
    checkCompatibleBatch([member('one', request), member('two', request), member('writer')]);
  });

  it('WP-7 checks against every attempt that is alive, and not those among themselves', () => {
    const alive = [plan('old-1', 'src'), plan('old-2', 'src/a')];
    checkCompatibleBatch([plan('new', 'docs')], alive);
    expect(() => checkCompatibleBatch([plan('new', 'src/b')], alive)).toThrow(
      expect.objectContaining({ between: ['new', 'old-1'], hint: expect.stringContaining('old-1') }),
    );
  });

  it('WP-7 lets one worker at a time commit on a branch', () => {
    const commits = (label: string, path: string) => member(label, { git: 'commit', plannedPaths: [path] });
    expect(() => checkCompatibleBatch([commits('one', 'a'), commits('two', 'b')])).toThrow(/branch/);
    checkCompatibleBatch([commits('one', 'a'), plan('two', 'b')]);
  });

  it('WP-7 never lets two run together that are both allowed one source path', () => {
    const name = fc.constantFrom('a', 'B', 'b', 'ab', '*', 'a*', '?', '**', '[ab]', '{a,b}c', 'é', 'e\u0301x');
    const paths = fc.array(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')),
      { maxLength: 2 },
    );
    const observed = fc.array(fc.constantFrom('a', 'b', 'ab', 'ac', 'bc', 'é', 'x'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(paths, paths, observed, (a, b, names) => {
        const [one, two] = [plan('one', ...a), plan('two', ...b)];
        const path = `${PROJECT}/${names.join('/')}`;
        const owns = (policy: WritePolicy) => decidePath(policy, path).allowed;
        fc.pre(owns(one.contract.policy) && owns(two.contract.policy));
        expect(conflict(one, two)).toBe(true);
      }),
    );
  });
});
