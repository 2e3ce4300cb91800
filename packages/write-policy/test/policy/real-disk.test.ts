import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  buildWritePolicy,
  dropBoxPath,
  pathsToResolve,
  type WritePolicy,
  type WritePolicyRequest,
} from '../../src/index.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** The real path of what exists, with the names that don't yet after it: what `PathFacts` asks for. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realPath(dirname(path)), basename(path));
  }
}

function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'write-policy-')));
  made.push(folder);
  for (const name of ['shop/src', 'shop/.git', 'secret']) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync('../secret', join(folder, 'shop/away'));
  symlinkSync('src', join(folder, 'shop/lib'));
  symlinkSync('shop', join(folder, 'alias'));
  return folder;
}

function build(projectRoot: string, plannedPaths: readonly string[]): WritePolicy {
  const dropBox = dropBoxPath({ projectRoot, invocationRef: 'inv-1' });
  const request: WritePolicyRequest = {
    role: 'implementer',
    projectRoot,
    dropBox,
    artifactPaths: [join(dropBox, 'result.json')],
    plannedPaths,
    orchestrator: [],
  };
  return buildWritePolicy({
    ...request,
    facts: { realPathOf: new Map(pathsToResolve(request).map((path) => [path, realPath(path)])) },
  });
}

describe('a policy of a real folder', () => {
  it('WP-4 does not leave it through a symbolic link, for a path that exists or one that does not yet', () => {
    const folder = project();
    for (const path of ['away', 'away/key', 'away/*/x', 'away/new/deep']) {
      expect(() => build(join(folder, 'shop'), [path])).toThrow(
        expect.objectContaining({ code: 'PATH_THROUGH_SYMLINK', path }),
      );
    }
  });

  it('WP-4 names every path by its real place', () => {
    const folder = project();
    const policy = build(join(folder, 'alias'), ['lib/new.ts', join(folder, 'alias/src/*.ts')]);
    const shop = join(folder, 'shop');
    expect(policy).toMatchObject({
      projectRoot: shop,
      worktree: shop,
      plannedPaths: [`${shop}/src/*.ts`, `${shop}/src/new.ts`],
    });
    expect(policy.artifactPaths).toEqual([`${shop}/.bailiwick/out/inv-1/result.json`]);
  });
});
