import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Boundary,
  BoundaryPrecision,
  decodeEnforcement,
  dropBoxPath,
  encodeEnforcement,
  IgnoredPaths,
  planEnforcement,
  ThrowAwayLayer,
} from '../../src/index.ts';
import { makePolicy, PROJECT } from '../make-policy.ts';

const file = { maxBoundaryPrecision: 'file' } as const;
const analyst = makePolicy({ role: 'analyst', ignored: 'listed' });

describe('planEnforcement', () => {
  it('WP-5 has in force the coarsest of what the policy asks, the runner takes and the boundary proved', () => {
    const held = (capability: BoundaryPrecision, proved: BoundaryPrecision) =>
      planEnforcement({
        policy: analyst,
        capability: { maxBoundaryPrecision: capability },
        boundary: 'bubblewrap',
        boundaryPrecision: proved,
      }).boundaryPrecision;
    expect(held('file', 'file')).toBe('directory');
    expect(held('worktree', 'file')).toBe('worktree');
    expect(held('file', 'worktree')).toBe('worktree');
    expect(held('none', 'file')).toBe('none');
  });

  it('WP-5 audits by call only where bubblewrap holds all that the policy asks', () => {
    const confined = planEnforcement({
      policy: analyst,
      capability: file,
      boundary: 'bubblewrap',
      boundaryPrecision: 'file',
    });
    expect(confined).toEqual({
      boundaryPrecision: 'directory',
      mutationAudit: 'call',
      boundary: 'bubblewrap',
      wider: [],
      keyIsolation: 'none',
      scope: 'write-roots',
    });
    for (const change of [
      { boundary: 'provider' },
      { boundaryPrecision: 'worktree' },
      { capability: { maxBoundaryPrecision: 'worktree' } },
    ] as const) {
      const request = {
        policy: analyst,
        capability: file,
        boundary: 'bubblewrap',
        boundaryPrecision: 'file',
        ...change,
      } as const;
      expect(planEnforcement(request)).toMatchObject({
        mutationAudit: 'batch',
        scope: 'tree',
        wider: 'boundary' in change ? [] : [PROJECT],
      });
    }
  });

  it('WP-5 audits by batch where another may write the same roots or git is the policy’s too', () => {
    const request = {
      policy: makePolicy(),
      capability: file,
      boundary: 'bubblewrap',
      boundaryPrecision: 'file',
    } as const;
    const dropBox = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'inv-2' });
    const verifier = makePolicy({ role: 'verifier', dropBox, artifactPaths: [`${dropBox}/r.json`] });
    expect(planEnforcement(request).mutationAudit).toBe('call');
    expect(planEnforcement({ ...request, others: [verifier] }).mutationAudit).toBe('batch');
    const git = { gitDir: `${PROJECT}/.git`, commonDir: `${PROJECT}/.git` };
    const commit = planEnforcement({ ...request, policy: makePolicy({ git: 'commit' }), git });
    expect(commit).toMatchObject({ mutationAudit: 'batch', wider: expect.arrayContaining([git.gitDir]) });
  });

  it('WP-5 audits by call whoever has a throw-away layer, beside others in the same tree, and says which', () => {
    const free = makePolicy({ role: 'verifier' });
    const dropBox = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'inv-2' });
    const other = makePolicy({ role: 'verifier', dropBox, artifactPaths: [`${dropBox}/r.json`] });
    const request = { policy: free, capability: file, boundary: 'bubblewrap', boundaryPrecision: 'file' } as const;
    expect(planEnforcement({ ...request, others: [other] })).toMatchObject({
      mutationAudit: 'batch',
      wider: [PROJECT],
    });
    const layered = planEnforcement({ ...request, others: [other], layer: 'overlay' });
    expect(layered).toMatchObject({ mutationAudit: 'call', scope: 'write-roots', layer: 'overlay', wider: [] });
    expect(planEnforcement({ ...request, boundary: 'provider', layer: 'overlay' })).not.toHaveProperty('layer');
    const payload = encodeEnforcement(layered);
    expect(decodeEnforcement(payload)).toEqual(layered);
    for (const claim of [{ boundary: 'provider', mutationAudit: 'batch', scope: 'tree' }, { layerReason: 'too large' }])
      expect(() => decodeEnforcement({ ...layered, ...claim })).toThrow(/layer/);
  });

  it('WP-5 says that nothing is in force where nothing is', () => {
    for (const boundary of ['none', 'provider'] as const) {
      const plan = planEnforcement({
        policy: analyst,
        capability: file,
        boundary,
        boundaryPrecision: 'none',
        keyIsolation: 'gateway',
      });
      expect(plan).toEqual({
        boundaryPrecision: 'none',
        mutationAudit: 'batch',
        boundary: 'none',
        wider: [],
        keyIsolation: 'gateway',
        scope: 'tree',
      });
    }
  });

  it('WP-6 refuses a binding without a write capability', () => {
    const request = { policy: analyst, capability: null, boundary: 'bubblewrap', boundaryPrecision: 'file' } as const;
    expect(() => planEnforcement(request)).toThrow(expect.objectContaining({ code: 'CAPABILITY_MISSING' }));
  });

  it('WP-5 never claims what a stored enforcement may not claim', () => {
    const precision = fc.constantFrom(...Object.values(BoundaryPrecision));
    const request = fc.record({
      policy: fc
        .tuple(fc.constantFrom('implementer', 'analyst'), fc.constantFrom(...Object.values(IgnoredPaths)), precision)
        .map(([role, ignored, maximumBoundaryPrecision]) => makePolicy({ role, ignored, maximumBoundaryPrecision })),
      capability: fc.record({ maxBoundaryPrecision: precision }),
      boundary: fc.constantFrom(...Object.values(Boundary)),
      boundaryPrecision: precision,
      layer: fc.constantFrom(...Object.values(ThrowAwayLayer)),
    });
    fc.assert(
      fc.property(request, (o) => {
        const planned = planEnforcement(o);
        expect(decodeEnforcement(encodeEnforcement(planned))).toEqual(planned);
      }),
    );
  });
});
