import { describe, expect, it } from 'vitest';
import {
  decidePath,
  dropBoxPath,
  NEVER_WRITABLE,
  orchestratorPaths,
  projectConfigPath,
  runWorktreePath,
} from '../src/index.ts';
import { makePolicy, PROJECT } from './make-policy.ts';

describe('orchestratorPaths', () => {
  it('WP-4 names every path that the orchestrator writes, in one sorted list', () => {
    const list = orchestratorPaths({
      stateRoot: '/home/ann/.local/state/bailiwick',
      projectRoot: PROJECT,
      worktree: PROJECT,
      gitCommonDir: `${PROJECT}/.git`,
    });
    expect(list).toEqual([
      '/home/ann/.local/state/bailiwick',
      `${PROJECT}/.bailiwick/config.json`,
      `${PROJECT}/.git/bailiwick`,
    ]);
  });

  it('WP-4 refuses a project or worktree inside the list, since an audit would see nothing of it', () => {
    const places = { stateRoot: '/home/ann', projectRoot: PROJECT, worktree: PROJECT };
    expect(() => orchestratorPaths(places)).toThrow(
      expect.objectContaining({ code: 'PATH_OF_ORCHESTRATOR', path: PROJECT }),
    );
  });

  it('WP-4 WP-2 no role of any shape may write what is on the list', () => {
    const list = orchestratorPaths({ stateRoot: `${PROJECT}/.git/bailiwick`, projectRoot: PROJECT, worktree: PROJECT });
    for (const role of ['implementer', 'verifier', 'analyst', 'report-writer', 'translator'] as const) {
      const policy = makePolicy({ role });
      for (const own of list) {
        for (const path of [own, `${own}/below`, own.toUpperCase().replace(PROJECT.toUpperCase(), PROJECT)]) {
          expect(decidePath(policy, path, { ignored: true }).allowed, path).toBe(false);
          expect(decidePath(policy, path, { orchestrator: list })).toEqual({ allowed: false, area: 'orchestrator' });
        }
      }
    }
  });
});

describe('places', () => {
  it('lie in the project under names that every platform takes', () => {
    expect(dropBoxPath({ projectRoot: '/p', invocationRef: 'Inv/1' })).toMatch(
      /^\/p\/\.bailiwick\/out\/[a-z0-9%._-]+$/i,
    );
    expect(runWorktreePath({ projectRoot: '/p', runId: 'r-1' })).toBe('/p/.bailiwick/worktrees/r-1');
    expect(projectConfigPath('/p')).toBe('/p/.bailiwick/config.json');
    expect(NEVER_WRITABLE).toEqual(['.git', '.bailiwick']);
  });
});
