import { describe, expect, it } from 'vitest';
import {
  encodeEnforcement,
  encodePolicy,
  loadContract,
  makeContract,
  planEnforcement,
  policyDigest,
  type WriteContract,
} from '../src/index.ts';
import { makePolicy, PROJECT } from './make-policy.ts';

const policy = makePolicy({ plannedPaths: ['src'] });
const enforcement = planEnforcement({
  policy,
  capability: { maxBoundaryPrecision: 'file' },
  boundary: 'bubblewrap',
  boundaryPrecision: 'file',
});
const contract = makeContract(policy, enforcement);

function stored({ policy, enforcement, digest }: WriteContract = contract) {
  return {
    writePolicy: encodePolicy(policy),
    writePolicyDigest: digest as string,
    writeEnforcement: encodeEnforcement(enforcement),
  };
}

describe('a stored write contract', () => {
  it('WP-6 loads as what was stored', () => {
    expect(loadContract(JSON.parse(JSON.stringify(stored())))).toEqual(contract);
  });

  it('WP-1 has one digest over policy and enforcement, blind to key order', () => {
    expect(policyDigest(policy, enforcement)).toBe(contract.digest);
    const reversed = Object.fromEntries(Object.entries(policy).reverse()) as unknown as typeof policy; // the same fields, another order
    expect(policyDigest(reversed, enforcement)).toBe(contract.digest);
  });

  it.each([
    ['a planned path', { policy: makePolicy({ plannedPaths: ['src', 'lib'] }), enforcement }],
    ['an artifact path', { policy: { ...policy, artifactPaths: [`${policy.artifactPaths[0]}2`] }, enforcement }],
    ['the worktree', { policy: makePolicy({ worktree: `${PROJECT}/wt`, plannedPaths: ['src'] }), enforcement }],
    ['the role', { policy: makePolicy({ role: 'analyst' }), enforcement }],
    ['git', { policy: { ...policy, git: 'commit' }, enforcement }],
    ['ignored', { policy: { ...policy, ignored: 'none' }, enforcement }],
    ['scratch', { policy: makePolicy({ plannedPaths: ['src'], scratch: ['tmp'] }), enforcement }],
    ['the precision asked', { policy: { ...policy, maximumBoundaryPrecision: 'file' }, enforcement }],
    ['the precision in force', { policy, enforcement: { ...enforcement, boundaryPrecision: 'file' } }],
    ['the audit mode', { policy, enforcement: { ...enforcement, mutationAudit: 'batch', scope: 'tree' } }],
    [
      'the boundary',
      { policy, enforcement: { ...enforcement, boundary: 'provider', mutationAudit: 'batch', scope: 'tree' } },
    ],
    ['what is wider', { policy, enforcement: { ...enforcement, wider: [] } }],
    ['the key isolation', { policy, enforcement: { ...enforcement, keyIsolation: 'gateway' } }],
  ] as const)('WP-6 does not load once %s changed', (_, changed) => {
    const row = stored({ ...changed, digest: contract.digest });
    expect(() => loadContract(row, 'invocations/inv-1.json')).toThrow(
      expect.objectContaining({ code: 'POLICY_DIGEST_CHANGED', path: 'invocations/inv-1.json' }),
    );
  });

  it('WP-6 is missing where any part of it is', () => {
    for (const field of ['writePolicy', 'writePolicyDigest', 'writeEnforcement'] as const) {
      const { [field]: _, ...rest } = stored();
      expect(() => loadContract(rest)).toThrow(expect.objectContaining({ code: 'CONTRACT_MISSING' }));
      expect(() => loadContract({ ...rest, [field]: null })).toThrow(
        expect.objectContaining({ code: 'CONTRACT_MISSING' }),
      );
    }
  });

  it('WP-6 is refused where its parts are no policy, enforcement or digest', () => {
    expect(() => loadContract({ ...stored(), writePolicy: {} })).toThrow(
      expect.objectContaining({ code: 'POLICY_INVALID' }),
    );
    expect(() => loadContract({ ...stored(), writeEnforcement: [] })).toThrow(
      expect.objectContaining({ code: 'ENFORCEMENT_INVALID' }),
    );
    expect(() => loadContract({ ...stored(), writePolicyDigest: 'sha256:0' })).toThrow(
      expect.objectContaining({ code: 'POLICY_DIGEST_CHANGED' }),
    );
  });
});
