import { describe, expect, it } from 'vitest';
import {
  buildWritePolicy,
  dropBoxPath,
  pathsToResolve,
  runWorktreePath,
  type WritePolicyRequest,
} from '../../src/index.ts';
import { BOX, makePolicy, ORCHESTRATOR, PROJECT, STATE, type TestRequest } from '../make-policy.ts';

function refusal(request: TestRequest): { readonly code?: string; readonly path?: string; readonly message?: string } {
  try {
    makePolicy(request);
  } catch (error) {
    return error as { code: string; path: string; message: string }; // the expectations below check every field they read
  }
  return {};
}

describe('buildWritePolicy', () => {
  it('WP-1 makes equal policies of equal requests, whatever the order and spelling of their paths', () => {
    const one = makePolicy({ plannedPaths: ['src/b', './src//a/', `${PROJECT}/lib/../src/a`] });
    expect(one.plannedPaths).toEqual([`${PROJECT}/src/a`, `${PROJECT}/src/b`]);
    expect(makePolicy({ plannedPaths: ['src/a', 'src/b'] })).toEqual(one);
  });

  it('WP-1 asks for exactly the paths whose real place it needs, and refuses to guess one', () => {
    const request: WritePolicyRequest = {
      role: 'verifier',
      projectRoot: PROJECT,
      worktree: '/work/tree',
      dropBox: BOX,
      artifactPaths: ['.bailiwick/out/inv-1/result.json'],
      auxiliaryRoots: ['/var/cache/x'],
      scratch: ['tmp/*/logs', '.cache'],
      orchestrator: ORCHESTRATOR,
    };
    expect(pathsToResolve(request)).toEqual(
      [PROJECT, '/work/tree', '/work/tree/tmp', '/work/tree/.cache', BOX, `${BOX}/result.json`, '/var/cache/x'].sort(),
    );
    const facts = { realPathOf: new Map<string, string>() };
    expect(() => buildWritePolicy({ ...request, facts })).toThrow(
      expect.objectContaining({ code: 'PATH_NOT_RESOLVED' }),
    );
  });

  it('WP-2 takes artifacts from the own drop box only', () => {
    const other = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'inv-2' });
    for (const path of [
      `${other}/result.json`,
      `${PROJECT}/result.json`,
      `${BOX}/../inv-2/x`,
      BOX,
      `${BOX}-2/x`,
      `${BOX}/.git/hooks/x`,
    ]) {
      expect(refusal({ artifactPaths: [path] }).code, path).toBe('ARTIFACT_OUTSIDE_DROP_BOX');
    }
    expect(refusal({ dropBox: other }).code).toBe('ARTIFACT_OUTSIDE_DROP_BOX');
    expect(refusal({ artifactPaths: [`${BOX}/a`, `${other}/b`] }).path).toBe(`${other}/b`);
    expect(makePolicy({ artifactPaths: ['.bailiwick/out/inv-1/worker/result.json'] }).artifactPaths).toEqual([
      `${BOX}/worker/result.json`,
    ]);
  });

  it('WP-2 WP-4 grants nothing that the orchestrator or a supervisor writes', () => {
    expect(refusal({ role: 'verifier', auxiliaryRoots: [`${STATE}/runs`] }).code).toBe('PATH_NEVER_WRITABLE');
    const list = ['/srv/state', `${PROJECT}/.bailiwick/config.json`];
    expect(refusal({ role: 'verifier', auxiliaryRoots: ['/srv/state/runs'], orchestrator: list }).code).toBe(
      'PATH_OF_ORCHESTRATOR',
    );
    expect(refusal({ role: 'verifier', auxiliaryRoots: ['/srv'], orchestrator: list }).path).toBe('/srv/state');
    expect(refusal({ plannedPaths: ['State/a'], orchestrator: [`${PROJECT}/state`] }).code).toBe(
      'PATH_OF_ORCHESTRATOR',
    );
    expect(refusal({ orchestrator: [`${PROJECT}/state`] })).toMatchObject({
      code: 'PATH_OF_ORCHESTRATOR',
      path: `${PROJECT}/state`,
    });
  });

  it('WP-3 gives source to an implementer alone, and git too', () => {
    for (const role of ['verifier', 'analyst', 'report-writer', 'translator'] as const) {
      expect(refusal({ role, plannedPaths: ['src'] }).code).toBe('PLAN_NOT_ALLOWED');
      expect(refusal({ role, git: 'commit' }).code).toBe('GIT_NOT_ALLOWED');
    }
    expect(makePolicy().git).toBe('none');
    expect(makePolicy({ git: 'commit' }).git).toBe('commit');
  });

  it('WP-3 reads a plan that means the whole worktree as a plan without paths', () => {
    for (const plan of [['.'], ['src', './'], [PROJECT], ['src/..']])
      expect(makePolicy({ plannedPaths: plan }).plannedPaths).toEqual([]);
  });

  it('WP-1 gives auxiliary roots to a verifier alone, and validated ones only', () => {
    const auxiliaryRoots = ['/var/cache/x/a'];
    expect(refusal({ auxiliaryRoots }).code).toBe('AUXILIARY_NOT_ALLOWED');
    expect(refusal({ role: 'verifier', auxiliaryRoots, validated: [] }).code).toBe('AUXILIARY_NOT_VALIDATED');
    expect(refusal({ role: 'verifier', auxiliaryRoots, validated: ['/var/cache/x/ab'] }).code).toBe(
      'AUXILIARY_NOT_VALIDATED',
    );
    expect(makePolicy({ role: 'verifier', auxiliaryRoots, validated: ['/var/cache/x'] }).auxiliaryRoots).toEqual(
      auxiliaryRoots,
    );
    expect(refusal({ role: 'verifier', auxiliaryRoots: ['/home'] })).toMatchObject({
      code: 'PATH_TOO_WIDE',
      path: '/home',
    });
  });

  it('WP-4 refuses what leaves its root through ".." or by its place', () => {
    for (const path of ['../shop2/a', 'src/../../x', '/etc/passwd', `${PROJECT}-2/src`, '/home/ann/Shop/src', '..']) {
      expect(refusal({ plannedPaths: [path] }).code, path).toBe('PATH_OUTSIDE');
      expect(refusal({ scratch: [path] }).code, path).toBe('PATH_OUTSIDE');
    }
    expect(refusal({ plannedPaths: ['src/*/../../..'] }).code).toBe('GLOB_INVALID');
    expect(refusal({ plannedPaths: ['../*.ts'] }).code).toBe('PATH_OUTSIDE');
  });

  it('WP-4 refuses what leaves its root through a symbolic link, and says where it leads', () => {
    const links = { [`${PROJECT}/out`]: '/etc' };
    for (const path of ['out', 'out/passwd', 'out/*.conf', `${PROJECT}/out/x`]) {
      expect(refusal({ plannedPaths: [path], links }), path).toMatchObject({
        code: 'PATH_THROUGH_SYMLINK',
        path,
      });
    }
    expect(refusal({ links: { [`${PROJECT}/.bailiwick`]: '/tmp/elsewhere' } }).path).toBe(BOX);
    expect(refusal({ plannedPaths: ['out'], links }).message).toContain('/etc');
  });

  it('WP-4 stores a link that stays inside by the place it leads to, and refuses one to a never-writable place', () => {
    const links = { [`${PROJECT}/lib`]: `${PROJECT}/a*b/src`, [`${PROJECT}/g`]: `${PROJECT}/.git` };
    expect(makePolicy({ plannedPaths: ['lib', 'lib/*.ts'], links }).plannedPaths).toEqual([
      `${PROJECT}/a\\*b/src`,
      `${PROJECT}/a\\*b/src/*.ts`,
    ]);
    expect(refusal({ plannedPaths: ['g/hooks'], links }).code).toBe('PATH_NEVER_WRITABLE');
  });

  it('WP-4 stores roots by their real place, and refuses an auxiliary root whose real place is not validated', () => {
    const links = { [PROJECT]: '/data/shop', '/var/aux': '/etc' };
    const policy = makePolicy({ plannedPaths: ['src'], links, orchestrator: [] });
    expect(policy).toMatchObject({
      projectRoot: '/data/shop',
      worktree: '/data/shop',
      plannedPaths: ['/data/shop/src'],
    });
    expect(
      refusal({ role: 'verifier', auxiliaryRoots: ['/var/aux/x'], validated: ['/var/aux'], links, orchestrator: [] })
        .code,
    ).toBe('AUXILIARY_NOT_VALIDATED');
  });

  it('WP-4 refuses version control and our own folder in every spelling that some file system takes for them', () => {
    const names = [
      '.git',
      '.GIT',
      '.Git.',
      '.git ',
      '.git. .',
      '.g\u200cit',
      '.git::$INDEX_ALLOCATION',
      'git~1',
      '.bailiwick',
      '.BAILIWICK',
      'BAILIW~1',
      '.bail\u0131wick'.replace('\u0131', 'I'),
    ];
    for (const name of names) {
      for (const path of [name, `sub/${name}/x`, `*/${name}/x`]) {
        expect(refusal({ plannedPaths: [path] }).code, path).toBe('PATH_NEVER_WRITABLE');
        expect(refusal({ scratch: [path] }).code, path).toBe('PATH_NEVER_WRITABLE');
      }
    }
    expect(makePolicy({ plannedPaths: ['.gitignore', '.github', '.bailiwickrc'] }).plannedPaths).toHaveLength(3);
  });

  it('WP-4 refuses a text that is no path, is too long or is not UTF-8', () => {
    for (const path of ['', 'a\0b', 'a\nb', 'a\u007f'])
      expect(refusal({ plannedPaths: [path] }).code).toBe('PATH_INVALID');
    expect(refusal({ plannedPaths: ['x'.repeat(256)] }).code).toBe('PATH_TOO_LONG');
    expect(refusal({ plannedPaths: ['ab/'.repeat(1400)] }).code).toBe('PATH_TOO_LONG');
    expect(refusal({ plannedPaths: ['é'.repeat(128)] }).code).toBe('PATH_TOO_LONG');
    for (const path of [{ pathBytes: '/3M=' }, '\ud800']) {
      expect(refusal({ plannedPaths: [path] }).code).toBe('PATH_NOT_UTF8');
      expect(refusal({ artifactPaths: [path] }).code).toBe('PATH_NOT_UTF8');
      expect(refusal({ projectRoot: path }).code).toBe('PATH_NOT_UTF8');
    }
    expect(refusal({ projectRoot: 'shop', orchestrator: [] }).code).toBe('PATH_INVALID');
  });

  it('WP-4 refuses roots that leave nothing to judge', () => {
    expect(refusal({ projectRoot: '/', artifactPaths: [], orchestrator: [] }).code).toBe('PATH_TOO_WIDE');
    for (const scratch of ['.', '**', '*', '**/*', '?*/'])
      expect(refusal({ scratch: [scratch] }).code, scratch).toBe('PATH_TOO_WIDE');
  });

  it('WP-9 puts the project root in the place of a worktree that nobody named, and takes a run worktree', () => {
    expect(makePolicy().worktree).toBe(PROJECT);
    const worktree = runWorktreePath({ projectRoot: PROJECT, runId: 'r-1' });
    expect(makePolicy({ worktree, plannedPaths: ['src'] }).plannedPaths).toEqual([`${worktree}/src`]);
    for (const path of [
      `${PROJECT}/.bailiwick/out/inv-1`,
      `${PROJECT}/.git/x`,
      `${worktree}/.git/x`,
      `${PROJECT}/.bailiwick/worktrees`,
    ]) {
      expect(refusal({ worktree: path, orchestrator: [] }).code, path).toBe('PATH_NEVER_WRITABLE');
    }
  });

  it('WP-5 asks a boundary for what the role needs, less where a cap says so', () => {
    expect(makePolicy().maximumBoundaryPrecision).toBe('worktree');
    expect(makePolicy({ role: 'analyst' }).maximumBoundaryPrecision).toBe('worktree');
    expect(makePolicy({ role: 'analyst', ignored: 'listed' }).maximumBoundaryPrecision).toBe('directory');
    expect(
      makePolicy({ role: 'analyst', ignored: 'none', maximumBoundaryPrecision: 'none' }).maximumBoundaryPrecision,
    ).toBe('none');
    expect(makePolicy({ maximumBoundaryPrecision: 'file' }).maximumBoundaryPrecision).toBe('worktree');
  });

  it('WP-10 has ignored paths free and no scratch by default', () => {
    expect(makePolicy()).toMatchObject({ ignored: 'free', scratch: [] });
  });
});
