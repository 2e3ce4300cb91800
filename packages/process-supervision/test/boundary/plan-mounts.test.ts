import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MOUNTS, type MountRequest, type PathFacts, planMounts } from '../../src/index.ts';

const FOLDER: PathFacts = { kind: 'folder', isReal: true };
const FILE: PathFacts = { kind: 'file', isReal: true };

/** Every path is a real folder but for those named. */
function plan(request: MountRequest, named: Readonly<Record<string, PathFacts>> = {}) {
  const paths = [...request.writable, ...request.readOnly];
  return planMounts(request, new Map(paths.map((path) => [path, named[path] ?? FOLDER])));
}

describe('planMounts', () => {
  it('WP-8 binds what may be written, and over it what may not, outermost first', () => {
    const request = { writable: ['/p', '/p/.bailiwick/out/i'], readOnly: ['/p/.bailiwick', '/p/.git'] };
    expect(plan(request)).toEqual({
      kind: 'planned',
      mounts: [
        { kind: 'writable', path: '/p' },
        { kind: 'read-only', path: '/p/.bailiwick' },
        { kind: 'read-only', path: '/p/.git' },
        { kind: 'writable', path: '/p/.bailiwick/out/i' },
      ],
      leftOut: [],
    });
  });

  it('B9 pins every folder on the way to what is locked, so that none can be renamed with it', () => {
    const { mounts } = planned(plan({ writable: ['/p'], readOnly: ['/p/a/b/keep.txt'] }, { '/p/a/b/keep.txt': FILE }));
    expect(mounts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'writable /p',
      'writable /p/a',
      'writable /p/a/b',
      'read-only /p/a/b/keep.txt',
    ]);
  });

  it('B15 makes no mount for what is not there, and none in what is read-only anyway', () => {
    const missing: PathFacts = { kind: 'missing', isReal: true };
    const request = { writable: ['/p/src'], readOnly: ['/p/src/.env', '/p/.git', '/p/src/lib', '/p/src/lib/x'] };
    const { mounts } = planned(plan(request, { '/p/src/.env': missing }));
    expect(mounts.map(({ path }) => path)).toEqual(['/p/src', '/p/src/lib']);
  });

  it('refuses a destination behind a symbolic link, and an open one that is no folder', () => {
    const linked: PathFacts = { kind: 'folder', isReal: false };
    const request = { writable: ['/p'], readOnly: ['/p/conf/keep'] };
    expect(plan(request, { '/p/conf/keep': linked })).toMatchObject({ kind: 'refused', path: '/p/conf/keep' });
    expect(plan(request, { '/p': linked })).toMatchObject({ kind: 'refused', path: '/p' });
    expect(plan(request, { '/p': FILE })).toMatchObject({ kind: 'refused', path: '/p' });
  });

  it('stays within the budget of mounts and names what it leaves out, deepest first', () => {
    const nested = Array.from({ length: 60 }, (_, at) => `/p/${String(at).padStart(2, '0')}/.git`);
    const { mounts, leftOut } = planned(plan({ writable: ['/p'], readOnly: ['/p/.git', ...nested] }));
    expect(mounts.length).toBeLessThanOrEqual(MAX_MOUNTS);
    expect(mounts).toContainEqual({ kind: 'read-only', path: '/p/.git' });
    expect(leftOut.length).toBe(60 - (mounts.length - 2) / 2);
  });

  it('WP-8 never closes what no read-only path covers, and orders a folder before what is in it', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map((names) => `/p/${names.join('/')}`);
    const request = fc.record({
      writable: fc.array(path, { maxLength: 4 }).map((paths) => ['/p', ...paths]),
      readOnly: fc.array(path, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(request, path, (o, probe) => {
        const { mounts, leftOut } = planned(plan(o));
        expect(leftOut).toEqual([]);
        expect(isOpen(mounts, probe)).toBe(wantsOpen(o, probe));
        const paths = mounts.map((mount) => mount.path);
        for (const [at, outer] of paths.entries())
          expect(paths.slice(0, at).some((inner) => inner.startsWith(`${outer}/`))).toBe(false);
      }),
    );
  });
});

function planned(result: ReturnType<typeof planMounts>) {
  if (result.kind === 'refused') throw new Error(result.reason);
  return result;
}

/** As the kernel sees it: the last mount around a path counts. */
function isOpen(mounts: readonly { readonly kind: string; readonly path: string }[], path: string): boolean {
  const around = mounts.filter((mount) => path === mount.path || path.startsWith(`${mount.path}/`));
  return around.at(-1)?.kind === 'writable';
}

/** As the order says it: the longest path around counts, a read-only one on a tie. */
function wantsOpen({ writable, readOnly }: MountRequest, path: string): boolean {
  const longest = (list: readonly string[]): number =>
    Math.max(0, ...list.filter((other) => path === other || path.startsWith(`${other}/`)).map(({ length }) => length));
  return longest(writable) > longest(readOnly);
}
