import { describe, expect, it } from 'vitest';
import {
  boundaryAdmits,
  compileBoundary,
  disjointWriteRoots,
  dropBoxPath,
  runWorktreePath,
  writeRootsOf,
} from '../../src/index.ts';
import { BOX, makePolicy, ORCHESTRATOR, PROJECT } from '../make-policy.ts';

const GIT = `${PROJECT}/.git`;
const WORKTREE = runWorktreePath({ projectRoot: PROJECT, runId: 'r-1' });
const box = (invocationRef: string) => ({
  dropBox: dropBoxPath({ projectRoot: PROJECT, invocationRef }),
  artifactPaths: [`.bailiwick/out/${invocationRef}/r.json`],
});

describe('compileBoundary', () => {
  it('WP-8 opens an implementer’s worktree whatever its plan, and says what that admits beyond it', () => {
    expect(compileBoundary(makePolicy())).toEqual({
      writable: [PROJECT, BOX],
      readOnly: [`${PROJECT}/.bailiwick`, GIT],
      wider: [],
    });
    expect(compileBoundary(makePolicy({ plannedPaths: ['src'] })).wider).toEqual([PROJECT]);
  });

  it('WP-8 opens for another role its artifacts and auxiliary roots, and the worktree only where ignored paths are free there', () => {
    const request = { role: 'verifier', auxiliaryRoots: ['/var/layer'], scratch: ['.cache', 'logs/*.log'] } as const;
    expect(compileBoundary(makePolicy({ ...request, ignored: 'listed' }))).toEqual({
      writable: [BOX, `${PROJECT}/.cache`, `${PROJECT}/logs`, '/var/layer'],
      readOnly: [],
      wider: [`${PROJECT}/logs`],
    });
    expect(compileBoundary(makePolicy(request))).toEqual({
      writable: [PROJECT, BOX, '/var/layer'],
      readOnly: [`${PROJECT}/.bailiwick`, GIT],
      wider: [PROJECT],
    });
    expect(compileBoundary(makePolicy({ role: 'analyst', ignored: 'none' }), { precision: 'worktree' }).wider).toEqual([
      PROJECT,
    ]);
    expect(compileBoundary(makePolicy(), { precision: 'none' })).toEqual({
      writable: ['/'],
      readOnly: [],
      wider: ['/'],
    });
  });

  it('WP-8 opens over a throw-away layer only what lasts: no worktree, and of scratch in it no pattern', () => {
    const request = { role: 'verifier', auxiliaryRoots: ['/var/cache'], scratch: ['reports', '**/*.log'] } as const;
    const found = [`${PROJECT}/sub/.git`, `${PROJECT}/reports/x/.git`];
    const options = { layer: true, orchestrator: ORCHESTRATOR, neverFound: found };
    const boundary = compileBoundary(makePolicy(request), options);
    expect(boundary).toEqual({
      writable: [BOX, `${PROJECT}/reports`, '/var/cache'],
      readOnly: [`${PROJECT}/.bailiwick`, GIT, `${PROJECT}/reports/x/.git`],
      wider: [],
    });
    expect(writeRootsOf(makePolicy(request), { layer: true })).toEqual(boundary.writable);
    const worktree = compileBoundary(makePolicy({ ...request, worktree: WORKTREE, scratch: [] }), options);
    expect(worktree).toEqual({
      writable: [BOX, '/var/cache'],
      readOnly: [`${WORKTREE}/.bailiwick`, `${WORKTREE}/.git`],
      wider: [],
    });
  });

  it('WP-8 closes nested version control that a walk found and the orchestrator’s paths, each once', () => {
    const found = [`${PROJECT}/sub/.git`, `${PROJECT}/vendor/x/.git`, `${GIT}/modules/a/.git`, '/elsewhere/.git'];
    const boundary = compileBoundary(makePolicy(), { neverFound: found, orchestrator: ORCHESTRATOR });
    expect(boundary.readOnly).toEqual([`${PROJECT}/.bailiwick`, GIT, `${PROJECT}/sub/.git`]);
    expect(boundaryAdmits(boundary, `${BOX}/x`)).toBe(true);
    expect(boundaryAdmits(boundary, `${PROJECT}/.bailiwick/out/inv-2/x`)).toBe(false);
    expect(boundaryAdmits(boundary, `${PROJECT}/sub/.git/hooks/x`)).toBe(false);
    expect(boundaryAdmits(boundary, `${PROJECT}/sub/x`)).toBe(true);
    expect(boundaryAdmits(boundary, '/etc/passwd')).toBe(false);
  });

  it('WP-8 closes another’s source where closing it takes nothing of the own', () => {
    const own = makePolicy({ plannedPaths: ['src/a', 'docs/*.md'] });
    const other = makePolicy({ plannedPaths: ['src/b', 'lib/**', 'docs/x/*.txt', 'docs'], ...box('inv-2') });
    const { readOnly } = compileBoundary(own, { others: [other, makePolicy({ role: 'verifier', ...box('inv-3') })] });
    expect(readOnly).toEqual([`${PROJECT}/.bailiwick`, GIT, `${PROJECT}/lib`, `${PROJECT}/src/b`]);
    const scratch = compileBoundary(makePolicy({ role: 'analyst', scratch: ['lib', 'src'] }), { others: [other] });
    expect(scratch.readOnly).toEqual([`${PROJECT}/.bailiwick`, GIT, `${PROJECT}/docs`]);
  });

  it('WP-3 opens for a commit in the main checkout what that needs, and keeps hooks, config and other refs closed', () => {
    const policy = makePolicy({ git: 'commit' });
    const boundary = compileBoundary(policy, { git: { gitDir: GIT, commonDir: GIT, branch: 'bailiwick/r-1' } });
    for (const path of [
      'index',
      'index.lock',
      'HEAD',
      'objects/ab/cd',
      'refs/heads/bailiwick/r-1.lock',
      'logs/HEAD',
      'logs/refs/heads/bailiwick/r-1',
      'COMMIT_EDITMSG',
    ]) {
      expect(boundaryAdmits(boundary, `${GIT}/${path}`), path).toBe(true);
    }
    for (const path of [
      'config',
      'hooks/pre-commit',
      'info/exclude',
      'objects/info/alternates',
      'refs/heads/main',
      'refs/tags/v1',
      'packed-refs',
      'bailiwick/runs',
      'worktrees/x/HEAD',
      'modules/a/config',
    ]) {
      expect(boundaryAdmits(boundary, `${GIT}/${path}`), path).toBe(false);
    }
    expect(boundary.wider).toContain(GIT);
    expect(compileBoundary(makePolicy(), { git: { gitDir: GIT, commonDir: GIT } }).wider).toEqual([]);
  });

  it('WP-3 opens for a commit in a linked worktree its own folder, the objects and the branch', () => {
    const policy = makePolicy({ git: 'commit', worktree: WORKTREE });
    const gitDir = `${GIT}/worktrees/r-1`;
    const boundary = compileBoundary(policy, { git: { gitDir, commonDir: GIT, branch: 'r-1' } });
    for (const path of [`${gitDir}/index.lock`, `${GIT}/objects/ab/cd`, `${GIT}/refs/heads/r-1`])
      expect(boundaryAdmits(boundary, path), path).toBe(true);
    for (const path of [
      `${gitDir}/commondir`,
      `${gitDir}/config.worktree`,
      `${GIT}/config`,
      `${GIT}/HEAD`,
      `${GIT}/objects/info/alternates`,
      `${GIT}/refs/tags/v`,
      `${WORKTREE}/.git`,
      `${PROJECT}/src`,
    ]) {
      expect(boundaryAdmits(boundary, path), path).toBe(false);
    }
    const reftable = compileBoundary(policy, { git: { gitDir, commonDir: GIT, refFormat: 'reftable' } });
    expect(boundaryAdmits(reftable, `${GIT}/reftable/tables.list`)).toBe(true);
  });
});

describe('disjointWriteRoots', () => {
  it('MA-9 WP-5 sees through what is closed: a drop box in a project is not the project’s', () => {
    const analyst = (ref: string) => makePolicy({ role: 'analyst', ignored: 'listed', ...box(ref) });
    expect(disjointWriteRoots(makePolicy(), analyst('inv-2'))).toBe(true);
    expect(disjointWriteRoots(analyst('inv-2'), analyst('inv-3'))).toBe(true);
    expect(disjointWriteRoots(makePolicy({ worktree: WORKTREE }), makePolicy(box('inv-2')))).toBe(true);
  });

  it('MA-9 takes a shared worktree or auxiliary root for what it is', () => {
    const verifier = (ref: string) =>
      makePolicy({ role: 'verifier', ignored: 'listed', auxiliaryRoots: ['/var/layer'], ...box(ref) });
    expect(disjointWriteRoots(verifier('inv-2'), verifier('inv-3'))).toBe(false);
    expect(
      disjointWriteRoots(makePolicy({ plannedPaths: ['a'] }), makePolicy({ plannedPaths: ['b'], ...box('inv-2') })),
    ).toBe(false);
    expect(disjointWriteRoots(makePolicy(), makePolicy({ role: 'analyst', ...box('inv-2') }))).toBe(false);
  });

  it('MA-9 shares no worktree with one whose worktree is a throw-away layer', () => {
    const analyst = (ref: string) => makePolicy({ role: 'analyst', ...box(ref) });
    expect(disjointWriteRoots(analyst('inv-2'), analyst('inv-3'))).toBe(false);
    expect(disjointWriteRoots(analyst('inv-2'), analyst('inv-3'), { layer: true })).toBe(true);
    const caching = makePolicy({ role: 'verifier', auxiliaryRoots: ['/var/cache'], ...box('inv-2') });
    const other = makePolicy({ role: 'verifier', auxiliaryRoots: ['/var/cache'], ...box('inv-3') });
    expect(disjointWriteRoots(caching, other, { layer: true })).toBe(false);
  });

  it('MA-5 has roots for a policy that asks for no boundary', () => {
    expect(writeRootsOf(makePolicy({ role: 'analyst', ignored: 'listed', maximumBoundaryPrecision: 'none' }))).toEqual([
      BOX,
    ]);
  });
});
