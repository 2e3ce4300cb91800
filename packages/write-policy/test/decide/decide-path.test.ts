import { describe, expect, it } from 'vitest';
import { decidePath, dropBoxPath, runWorktreePath } from '../../src/index.ts';
import { BOX, makePolicy, PROJECT } from '../make-policy.ts';

const WORKTREE = runWorktreePath({ projectRoot: PROJECT, runId: 'r-1' });
const ROLES = ['verifier', 'analyst', 'report-writer', 'translator'] as const;

describe('decidePath', () => {
  it('WP-2 allows the own drop box, and no other invocation’s', () => {
    const other = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'inv-10' });
    for (const role of ROLES) {
      const policy = makePolicy({ role, worktree: WORKTREE });
      expect(decidePath(policy, `${BOX}/notes/x`, { ignored: true })).toEqual({ allowed: true, area: 'artifact' });
      for (const path of [`${other}/x`, other, `${PROJECT}/.bailiwick/out`, `${BOX}/.git/config`]) {
        expect(decidePath(policy, path, { ignored: true }), path).toEqual({ allowed: false, area: 'never' });
      }
    }
  });

  it('WP-3 lets an implementer without a plan write its whole worktree, less what is never writable', () => {
    const policy = makePolicy({ worktree: WORKTREE });
    for (const path of [
      '',
      '/src/a.ts',
      '/.gitignore',
      '/.github/workflows/ci.yml',
      '/pnpm-lock.yaml',
      '/a\nb',
      '/a. ',
    ]) {
      expect(decidePath(policy, `${WORKTREE}${path}`), path).toEqual({ allowed: true, area: 'source' });
    }
    for (const path of ['/.git', '/.git/config', '/sub/.GIT/hooks/x', '/.bailiwick/config.json', '/a/.bailiwick/x']) {
      expect(decidePath(policy, `${WORKTREE}${path}`), path).toEqual({ allowed: false, area: 'never' });
    }
    expect(decidePath(policy, `${PROJECT}/src/a.ts`)).toEqual({ allowed: false, area: 'outside' });
    expect(decidePath(policy, `${WORKTREE}2/a`)).toEqual({ allowed: false, area: 'never' });
  });

  it('WP-3 lets no other role change source', () => {
    for (const role of ROLES) {
      expect(decidePath(makePolicy({ role }), `${PROJECT}/src/a.ts`)).toEqual({ allowed: false, area: 'source' });
      expect(decidePath(makePolicy({ role }), '/etc/passwd')).toEqual({ allowed: false, area: 'outside' });
    }
  });

  it('WP-8 MA-4 tells what lies outside a plan from what lies outside the worktree', () => {
    const policy = makePolicy({ plannedPaths: ['src', 'docs/*.md'] });
    expect(decidePath(policy, `${PROJECT}/src/deep/a.ts`).area).toBe('source');
    expect(decidePath(policy, `${PROJECT}/docs/a.md`).area).toBe('source');
    for (const path of ['srcs', 'docs', 'docs/a/b.md', 'docs/a.md/x', 'package.json']) {
      expect(decidePath(policy, `${PROJECT}/${path}`), path).toEqual({ allowed: false, area: 'out-of-plan' });
    }
    expect(decidePath(policy, '/home/ann/other').area).toBe('outside');
  });

  it('WP-3 lets who may write a file make or remove the folders above it, and nothing else there', () => {
    const policy = makePolicy({
      plannedPaths: ['src/new/a.ts', 'lib/*/b.ts'],
      scratch: ['tmp/x', '**/*.swp', 'logs/**/x'],
    });
    for (const folder of ['src', 'src/new', 'lib', 'lib/q', 'tmp', 'logs']) {
      expect(decidePath(policy, `${PROJECT}/${folder}`, { folder: true }).allowed, folder).toBe(true);
      expect(decidePath(policy, `${PROJECT}/${folder}`).allowed, folder).toBe(false);
    }
    expect(decidePath(policy, `${PROJECT}/other`, { folder: true }).allowed).toBe(false);
    expect(decidePath(policy, `${PROJECT}/lib/q/r`, { folder: true }).allowed).toBe(false);
  });

  it('WP-1 allows a verifier its auxiliary roots with all below them', () => {
    const policy = makePolicy({
      role: 'verifier',
      auxiliaryRoots: ['/var/layer', 'coverage'],
      validated: ['/var', PROJECT],
    });
    for (const path of ['/var/layer/a', '/var/layer/.git/config', `${PROJECT}/coverage/x`]) {
      expect(decidePath(policy, path), path).toEqual({ allowed: true, area: 'auxiliary' });
    }
    expect(decidePath(policy, `${PROJECT}/coverage/.git/config`).area).toBe('never');
    expect(decidePath(policy, '/var/layers').area).toBe('outside');
  });

  it('WP-10 charges nobody for scratch and for what git ignores, wherever in the project', () => {
    for (const role of ['implementer', ...ROLES] as const) {
      const policy = makePolicy({ role, worktree: WORKTREE, scratch: ['.cache', '**/*.swp'] });
      expect(decidePath(policy, `${WORKTREE}/.cache/x`)).toEqual({ allowed: true, area: 'scratch' });
      expect(decidePath(policy, `${WORKTREE}/src/.a.ts.swp`)).toEqual({ allowed: true, area: 'scratch' });
      expect(decidePath(policy, `${WORKTREE}/dist/x.js`, { ignored: true })).toEqual({
        allowed: true,
        area: 'ignored',
      });
      expect(decidePath(policy, `${PROJECT}/.next/x`, { ignored: true })).toEqual({ allowed: true, area: 'ignored' });
      expect(decidePath(policy, '/srv/ignored-elsewhere', { ignored: true }).allowed).toBe(false);
    }
  });

  it('WP-10 frees ignored paths as the policy says: all, those that scratch lists, or none', () => {
    const decide = (ignored: 'free' | 'listed' | 'none', path: string) =>
      decidePath(makePolicy({ role: 'analyst', ignored, scratch: ['.cache'] }), `${PROJECT}/${path}`, { ignored: true })
        .area;
    expect(['dist/a', '.cache/a'].map((path) => decide('free', path))).toEqual(['ignored', 'scratch']);
    expect(['dist/a', '.cache/a'].map((path) => decide('listed', path))).toEqual(['source', 'scratch']);
    expect(['dist/a', '.cache/a'].map((path) => decide('none', path))).toEqual(['source', 'source']);
  });

  it('WP-4 never throws for and never allows what no walk of a file system yields', () => {
    const policy = makePolicy();
    for (const path of [
      '',
      'src/a',
      '..',
      `${PROJECT}/../x`,
      `${PROJECT}/src/`,
      `${PROJECT}//src`,
      `${PROJECT}/a\0b`,
      `${PROJECT}/./a`,
    ]) {
      expect(decidePath(policy, path), JSON.stringify(path)).toEqual({ allowed: false, area: 'outside' });
    }
  });

  it('WP-4 judges a name that is not UTF-8 by the folders above it', () => {
    const bytes = (text: string) => ({
      pathBytes: Buffer.concat([Buffer.from(`${PROJECT}/${text}`), Buffer.from([0xff, 0x2f, 0x61])]).toString('base64'),
    });
    expect(decidePath(makePolicy(), bytes('src/x')).area).toBe('source');
    expect(decidePath(makePolicy({ plannedPaths: ['src'] }), bytes('src/x')).area).toBe('source');
    expect(decidePath(makePolicy({ plannedPaths: ['src'] }), bytes('src')).area).toBe('out-of-plan');
    expect(decidePath(makePolicy(), bytes('.git/x')).area).toBe('never');
    expect(decidePath(makePolicy(), { pathBytes: Buffer.from('/\xff', 'latin1').toString('base64') }).area).toBe(
      'outside',
    );
    expect(decidePath(makePolicy(), { pathBytes: Buffer.from(`${PROJECT}/é`).toString('base64') }).area).toBe('source');
  });
});
