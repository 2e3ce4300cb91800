import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundaryAdmits,
  compileBoundary,
  DERIVED_FOLDERS,
  decidePath,
  decodePolicy,
  encodePolicy,
  IgnoredPaths,
  isWritePolicyError,
  NEVER_WRITABLE,
  runWorktreePath,
  type WritePolicy,
} from '../src/index.ts';
import { makePolicy, ORCHESTRATOR, PROJECT, type TestRequest } from './make-policy.ts';

const WORKTREE = runWorktreePath({ projectRoot: PROJECT, runId: 'r-1' });
const ROOTS = [
  PROJECT,
  WORKTREE,
  `${PROJECT}/.bailiwick`,
  `${PROJECT}/.bailiwick/out/inv-1`,
  '/var/layer',
  '/home/ann',
  '',
];

const HOSTILE = [
  '..',
  '.',
  '.git',
  '.GIT',
  '.git.',
  'git~1',
  '.bailiwick',
  '.Bailiwick',
  'link',
  'a\0',
  'a\n',
  'x'.repeat(256),
  'a. ',
  '\ud800',
  'a:b',
  '\\',
  '[',
  '{a,b}',
  '*',
  '**',
  '?',
  '[!a]',
  ' ',
];
const PLAIN = ['src', 'a', 'b.ts', '.env', '.cache', 'node_modules', '.github', 'é', 'out', 'deep', '(g)', '[id]'];
const text = fc
  .array(fc.constantFrom(...PLAIN, ...HOSTILE), { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'));
const anyText = fc.oneof(
  text,
  text.map((path) => `/${path}`),
  fc.constantFrom(...ROOTS).chain((root) => text.map((path) => `${root}/${path}`)),
  fc.string({ unit: 'binary' }),
);
const paths = fc.array(anyText, { maxLength: 3 });

const request: fc.Arbitrary<TestRequest> = fc.record({
  role: fc.constantFrom('implementer', 'verifier', 'analyst'),
  worktree: fc.constantFrom(PROJECT, WORKTREE, '/srv/tree', `${PROJECT}/packages/a`),
  plannedPaths: paths,
  auxiliaryRoots: fc.array(fc.constantFrom('/var/layer', `${PROJECT}/coverage`, 'aux', '/home', '/'), { maxLength: 2 }),
  validated: fc.constant(['/']),
  scratch: paths,
  ignored: fc.constantFrom(...Object.values(IgnoredPaths)),
  git: fc.constantFrom('none', 'commit'),
  links: fc.constant({ [`${PROJECT}/link`]: '/etc', [`${WORKTREE}/link`]: `${WORKTREE}/src` }),
});

/** A request cut down to what its role may have, so that many of them give a policy. */
const fitting = request.map(({ plannedPaths, auxiliaryRoots, git, ...rest }) => ({
  ...rest,
  ...(rest.role === 'implementer' ? { plannedPaths, git } : {}),
  ...(rest.role === 'verifier' ? { auxiliaryRoots } : {}),
}));

/** The policy, or undefined where the request was refused with a code; any other error fails the property. */
function built(given: TestRequest): WritePolicy | undefined {
  try {
    return makePolicy(given);
  } catch (error) {
    if (isWritePolicyError(error)) return undefined;
    throw error;
  }
}

/** Requests whose paths are dropped one by one until it is accepted: what is left is what got through. */
const policy = fitting.map((given) => {
  const accepted = (field: 'plannedPaths' | 'scratch' | 'auxiliaryRoots') =>
    given[field]?.filter(
      (path) => built({ ...given, plannedPaths: [], scratch: [], auxiliaryRoots: [], [field]: [path] }) !== undefined,
    ) ?? [];
  return makePolicy({
    ...given,
    plannedPaths: accepted('plannedPaths'),
    scratch: accepted('scratch'),
    auxiliaryRoots: accepted('auxiliaryRoots'),
  });
});

const plainText = fc.array(fc.constantFrom(...PLAIN), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const observed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(PROJECT, WORKTREE), plainText).map(([root, path]) => `${root}/${path}`),
  },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...ROOTS), text).map(([root, path]) => `${root}/${path}`) },
  { weight: 1, arbitrary: anyText },
);
const options = fc.record({ ignored: fc.boolean(), folder: fc.boolean() });
/** How often each property is tried; a soak sets it higher. */
const numRuns = 200;
const observations = fc.array(fc.tuple(observed, options), { minLength: 20, maxLength: 40 });

describe('every write policy', () => {
  it('WP-4 is refused with a code or holds only normalized paths inside its roots', () => {
    fc.assert(
      fc.property(request, (given) => {
        const made = built(given);
        if (made === undefined) return;
        for (const path of [...made.plannedPaths, ...made.scratch]) {
          expect([made.worktree, made.projectRoot].some((root) => path.startsWith(`${root}/`))).toBe(true);
          expect(path).not.toMatch(/\/\.{0,2}(\/|$)|[\0\n]/);
        }
      }),
      { numRuns },
    );
  });

  it('WP-1 normalization is idempotent: building from a policy’s own paths gives that policy', () => {
    fc.assert(
      fc.property(policy, (made) => {
        expect(makePolicy({ ...made, validated: ['/'] })).toEqual(made);
      }),
      { numRuns },
    );
  });

  it('WP-1 payload → policy → payload is the identity', () => {
    fc.assert(
      fc.property(policy, (made) => {
        const payload = JSON.parse(JSON.stringify(encodePolicy(made)));
        expect(encodePolicy(decodePolicy(payload))).toEqual(payload);
        expect(decodePolicy(payload)).toEqual(made);
      }),
      { numRuns },
    );
  });

  it('WP-4 allows no observed path that escapes, is never writable or is the orchestrator’s', () => {
    let allowedPaths = 0;
    fc.assert(
      fc.property(policy, observations, (made, seen) => {
        for (const [path, o] of seen) {
          const { allowed, area } = decidePath(made, path, o);
          if (!allowed) continue;
          allowedPaths += 1;
          const roots = area === 'auxiliary' ? made.auxiliaryRoots : [made.worktree, made.projectRoot];
          expect(roots.some((root) => isIn(path, root))).toBe(true);
          expect(path.split('/')).not.toContain('..');
          expect(ORCHESTRATOR.some((own) => isIn(path, own))).toBe(false);
          if (area !== 'auxiliary' && !(o.ignored && isDerived(path))) expect(neverBelow(path, made)).toEqual([]);
        }
      }),
      { numRuns },
    );
    expect(allowedPaths).toBeGreaterThan(0);
  });

  it('WP-8 what the audit allows, the boundary allows', () => {
    let allowedPaths = 0;
    fc.assert(
      fc.property(
        policy,
        observations,
        fc.constantFrom('worktree', 'directory', 'file', 'none'),
        (made, seen, precision) => {
          const found = [`${PROJECT}/src/.git`, `${made.worktree}/node_modules/a/.git`];
          const boundary = compileBoundary(made, { precision, orchestrator: ORCHESTRATOR, neverFound: found });
          for (const [path, { ignored }] of seen) {
            const { allowed, area } = decidePath(made, path, { ignored });
            // A person's ignored files in the main checkout charge no worker, yet are no worker's to write.
            if (!allowed || (area === 'ignored' && !isIn(path, made.worktree))) continue;
            allowedPaths += 1;
            expect(boundaryAdmits(boundary, path), path).toBe(true);
          }
        },
      ),
    );
    expect(allowedPaths).toBeGreaterThan(0);
  });

  it('WP-8 what the boundary admits and the policy does not is listed as wider, save nested folders that no walk has found', () => {
    let widerPaths = 0;
    fc.assert(
      fc.property(policy, observations, (made, seen) => {
        const boundary = compileBoundary(made);
        for (const [path] of seen) {
          const { allowed, area } = decidePath(made, path);
          if (allowed || area === 'never' || area === 'outside' || !boundaryAdmits(boundary, path)) continue;
          widerPaths += 1;
          expect(
            boundary.wider.some((root) => isIn(path, root)),
            path,
          ).toBe(true);
        }
      }),
      { numRuns },
    );
    expect(widerPaths).toBeGreaterThan(0);
  });
});

function isIn(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

function isDerived(path: string): boolean {
  return DERIVED_FOLDERS.some((name) => path.split('/').includes(name));
}

/** Never-writable names on the way to a path, from the closest root that may hold what a worker writes. */
function neverBelow(path: string, made: WritePolicy): readonly string[] {
  const roots = [`${PROJECT}/.bailiwick/out/inv-1`, made.worktree, made.projectRoot].filter((root) => isIn(path, root));
  const closest = roots.reduce((longest, root) => (root.length > longest.length ? root : longest), '');
  const names = path.slice(closest.length).toLowerCase().split('/');
  return names.filter((name) => NEVER_WRITABLE.some((never) => name === never));
}
