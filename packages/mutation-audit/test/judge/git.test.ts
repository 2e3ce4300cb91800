import { describe, expect, it } from 'vitest';
import { judgeAttempt, type ObservedGitChange } from '../../src/index.ts';
import { CONFINED, gitChange, input, job, verifier } from '../support/judge-input.ts';

const committer = job('a', { policy: { git: 'commit', plannedPaths: ['/p/src/**'] } });
const advanced = (o: Partial<ObservedGitChange> = {}): ObservedGitChange =>
  gitChange({ what: 'ref', name: 'refs/heads/main', advances: true, path: '/p/.git/refs/heads/main', ...o });

describe('git state', () => {
  it('MA-12 charges a change of any part of git', () => {
    for (const what of [
      'head',
      'ref',
      'index',
      'stash',
      'config',
      'hook',
      'exclude',
      'attributes',
      'worktree',
      'operation',
      'repository',
      'file',
    ] as const) {
      const audit = judgeAttempt(input(job('a'), { git: [gitChange({ what, name: 'x' })] }));
      expect(audit).toMatchObject({ status: 'contract-failed-unattributed', gitChanged: true });
      expect(audit.violations).toMatchObject([{ code: 'git-state', path: '.git/config' }]);
      expect(audit.violations[0]?.message).toContain('Worker a');
    }
  });

  it('MA-12 lets the own branch advance with its index where the policy says commit', () => {
    const git = [
      advanced({ committedPaths: ['src/a.ts'] }),
      gitChange({ what: 'index', name: 'src/a.ts', after: `100644 ${'2'.repeat(40)}` }),
    ];
    const audit = judgeAttempt(input(committer, { git }));
    expect(audit).toMatchObject({ status: 'ok', gitChanged: true, violations: [] });
    expect(judgeAttempt(input(job('b'), { git })).violations).toHaveLength(2);
  });

  it('MA-12 lets the first commit of a branch be made', () => {
    const audit = judgeAttempt(
      input(committer, { git: [gitChange({ what: 'ref', name: 'refs/heads/main', before: null })] }),
    );
    expect(audit.status).toBe('ok');
  });

  it.each([
    ['another branch', advanced({ name: 'refs/heads/other' })],
    ['a branch of another repository', advanced({ repository: '/q/.git' })],
    ['a rewritten branch', advanced({ advances: false })],
    ['a branch of which nothing could be found out', advanced({ advances: null })],
    ['a removed branch', advanced({ after: null })],
    ['a tag', gitChange({ what: 'ref', name: 'refs/tags/v1', before: null })],
    [
      'an index entry that hides its file',
      gitChange({ what: 'index', name: 'x', after: `100644 ${'2'.repeat(40)} a` }),
    ],
    ['an index entry that is skipped', gitChange({ what: 'index', name: 'x', after: `100644 ${'2'.repeat(40)} s` })],
    ['the index of another work tree', gitChange({ what: 'index', root: '/elsewhere', name: 'x' })],
    ['a hook', gitChange({ what: 'hook', name: 'hooks/pre-commit' })],
  ])('MA-12 charges %s even where the policy says commit', (_, change) => {
    expect(judgeAttempt(input(committer, { git: [change] })).violations).toMatchObject([{ code: 'git-state' }]);
  });

  it('MA-12 judges what a permitted commit changes by the policy', () => {
    const git = [
      advanced({ committedPaths: ['src/a.ts', 'secret.ts', { pathBytes: Buffer.from([0xff]).toString('base64') }] }),
    ];
    const audit = judgeAttempt(input(committer, { git }));
    expect(audit.violations.map(({ code, path }) => [code, path])).toEqual([
      ['commit-outside-policy', 'secret.ts'],
      ['commit-outside-policy', '\ufffd'],
    ]);
  });

  it('MA-14 takes a fetched ref as external', () => {
    const git = [
      gitChange({ what: 'ref', name: 'refs/remotes/origin/main', path: '/p/.git/refs/remotes/origin/main' }),
    ];
    const audit = judgeAttempt(input(job('a'), { git }, { attemptFailed: true, resultPresent: false }));
    expect(audit).toMatchObject({
      status: 'failed-no-mutation',
      gitChanged: false,
      external: [{ path: '.git/refs/remotes/origin/main', kind: 'git', reason: 'fetched-ref' }],
    });
  });

  it('MA-14 takes as external what the boundary of every worker rules out', () => {
    const audit = judgeAttempt(input(job('a', { enforcement: CONFINED }), { git: [gitChange({})] }));
    expect(audit).toMatchObject({
      status: 'ok',
      gitChanged: false,
      external: [{ kind: 'git', reason: 'no-worker-could' }],
    });
  });

  it('WP-10 takes a repository in an ignored or scratch place as part of it', () => {
    const nested = {
      nested: true,
      root: '/p/build/dep',
      repository: '/p/build/dep/.git',
      path: '/p/build/dep/.git/HEAD',
    };
    const free = verifier('v', {}, { ignored: 'free', scratch: ['/p/tmp'] });
    expect(judgeAttempt(input(free, { git: [gitChange({ ...nested, ignored: true })] })).status).toBe('ok');
    expect(judgeAttempt(input(free, { git: [gitChange({ ...nested, root: '/p/tmp/dep' })] })).status).toBe('ok');
    expect(judgeAttempt(input(free, { git: [gitChange(nested)] })).violations).toHaveLength(1);
  });

  it('MA-12 takes changes in an auxiliary root as no breach', () => {
    const self = verifier('v', {}, { auxiliaryRoots: ['/aux'] });
    const audit = judgeAttempt(input(self, { git: [gitChange({ root: '/aux/repo', nested: false })] }));
    expect(audit).toMatchObject({ status: 'ok', gitChanged: false });
  });

  it('passes over what the orchestrator itself did to git', () => {
    const git = [
      advanced({ name: 'refs/heads/run-2' }),
      gitChange({ what: 'worktree', root: '/p/.bailiwick/worktrees/r2' }),
    ];
    const orchestratorGit = { refs: ['refs/heads/run-2'], workTrees: ['/p/.bailiwick/worktrees/r2'] };
    expect(judgeAttempt(input(job('a'), { git }, { orchestratorGit })).status).toBe('ok');
    expect(judgeAttempt(input(job('a'), { git })).violations).toHaveLength(2);
  });
});
