import { describe, expect, it } from 'vitest';
import {
  type AttestationLevel,
  type AttestationSource,
  createModelPool,
  decodePoolRow,
  reachableSource,
  requireReachableSource,
  type StoredAttestation,
  shippedModelPool,
  verifyServedModel,
} from '../../src/index.ts';
import { channelRow, errorOf, poolOf, row } from '../support.ts';

const other = row({ modelRef: 'acme/large@2', modelId: 'acme-large-2' });
const small = channelRow({ modelRef: 'acme/small', modelId: 'acme-small', channelFamily: 'small' });
const foreign = row({ modelRef: 'zeta/large', providerId: 'zeta', modelId: 'zeta-large' });
const bare = { ...channelRow({ modelRef: 'acme/bare', modelId: 'acme-bare' }) };
delete bare['channelFamily'];
const pool = poolOf(row(), other, channelRow(), small, foreign, bare);

function verify(selectedRef: string, attestation: Partial<StoredAttestation>, minimumSource?: AttestationSource) {
  return verifyServedModel({
    selected: pool.entry(selectedRef),
    attestation: { level: 'unknown', reported: [], source: 'stream', ...attestation },
    pool,
    ...(minimumSource === undefined ? {} : { minimumSource }),
  });
}

function seen(level: AttestationLevel, normalizedModelRef: string, reported: readonly string[] = []) {
  return { level, normalizedModelRef, reported };
}

describe('verifyServedModel', () => {
  it('AR-7 unknown passes as unobserved', () => {
    expect(verify('acme/large@1', { level: 'unknown', source: 'none' })).toEqual({ kind: 'unobserved' });
  });

  it('AR-7 unrecognised is a mismatch that names the raw name', () => {
    const verdict = verify('acme/large', { level: 'unrecognised', reported: ['zz-served-77'] });
    expect(verdict).toMatchObject({
      kind: 'mismatch',
      reason: 'zz-served-77 maps to no entry of the model pool for acme',
    });
  });

  it('AR-8 a pinned selection demands the same ref', () => {
    expect(verify('acme/large@1', seen('exact', 'acme/large@1')).kind).toBe('match');
    expect(verify('acme/large@1', seen('exact', 'acme/large@2')).kind).toBe('mismatch');
    expect(verify('acme/large@1', seen('channel', 'acme/large')).kind).toBe('mismatch');
  });

  it('AR-8 a channel selection accepts pinned and channel entries of its family', () => {
    expect(verify('acme/large', seen('exact', 'acme/large@1')).kind).toBe('match');
    expect(verify('acme/large', seen('exact', 'acme/large@2')).kind).toBe('match');
    expect(verify('acme/large', seen('channel', 'acme/large')).kind).toBe('match');
  });

  it('AR-8 a channel selection refuses another family and another provider', () => {
    expect(verify('acme/large', seen('channel', 'acme/small')).kind).toBe('mismatch');
    expect(verify('acme/large', seen('exact', 'zeta/large')).kind).toBe('mismatch');
  });

  it('AR-8 a channel without a family matches nothing, itself included', () => {
    expect(verify('acme/bare', seen('channel', 'acme/bare')).kind).toBe('mismatch');
  });

  it("AR-8 the level must fit the observed entry's kind", () => {
    expect(verify('acme/large', seen('channel', 'acme/large@1')).kind).toBe('mismatch');
    expect(verify('acme/large', seen('exact', 'acme/large')).kind).toBe('mismatch');
  });

  it('AR-8 a ref that the pool has not, or a missing one, is a mismatch', () => {
    expect(verify('acme/large', seen('exact', 'acme/gone')).kind).toBe('mismatch');
    expect(verify('acme/large', { level: 'exact', normalizedModelRef: null }).kind).toBe('mismatch');
    expect(verify('acme/large', { level: 'channel' }).kind).toBe('mismatch');
  });

  it('AR-10 every reported name is judged, not only the one that the ref was made of', () => {
    expect(verify('acme/large', seen('exact', 'acme/large@1', ['acme-large-1', 'acme-small'])).kind).toBe('mismatch');
    expect(verify('acme/large', { level: 'unknown', reported: ['acme-small'] }).kind).toBe('mismatch');
  });

  it('AR-10 a stored attestation with two models of the family is a change half-way', () => {
    const stored = { ...seen('exact', 'acme/large@1', ['acme-large-1', 'acme-large-2']) };
    expect(verify('acme/large', stored)).toMatchObject({
      kind: 'mismatch',
      reason: expect.stringContaining('half-way'),
    });
  });

  it.each([
    ['wire', 'wire', 'match'],
    ['stream', 'wire', 'mismatch'],
    ['transcript', 'stream', 'mismatch'],
    ['wire', 'transcript', 'match'],
  ] as const)('AR-10 seen from %s where %s is demanded is a %s', (source, minimum, kind) => {
    expect(verify('acme/large', { ...seen('exact', 'acme/large@1'), source }, minimum).kind).toBe(kind);
  });

  it('AR-10 what was not observed fails where a source is demanded', () => {
    expect(verify('acme/large', { level: 'unknown', source: 'none' }, 'transcript').kind).toBe('mismatch');
    expect(verify('acme/large', { level: 'unknown', source: 'none' }, 'none').kind).toBe('unobserved');
  });

  it('works from the rows of one agent CLI alone, as a supervisor gets them', () => {
    const whole = createModelPool(shippedModelPool());
    const part = createModelPool(JSON.parse(JSON.stringify(whole.rowsOf('codex'))));
    const attestation = { ...seen('channel', 'codex/gpt-5.5', ['gpt-5.5']), source: 'wire' as const };
    expect(verifyServedModel({ selected: part.entry('codex/gpt-5.5'), attestation, pool: part }).kind).toBe('match');
  });

  it('AR-4 a selected entry that came from elsewhere is compared by its fields', () => {
    const selected = decodePoolRow(channelRow(), 'test');
    const attestation = { level: 'exact', normalizedModelRef: 'acme/large@2', reported: [], source: 'wire' } as const;
    expect(verifyServedModel({ selected, attestation, pool }).kind).toBe('match');
  });
});

describe('requireReachableSource', () => {
  it('AR-10 refuses a provider that cannot reach the demanded source, before the start', () => {
    const demand = { providerId: 'codex', minimumSource: 'stream', ownSource: 'none', gateway: false } as const;
    const error = errorOf('SERVED_MODEL_SOURCE_UNREACHABLE', () => requireReachableSource(demand));
    expect(error.details).toEqual({ providerId: 'codex', minimumSource: 'stream', reachableSource: 'none' });
    expect(error.hint).toContain('gateway');
  });

  it('AR-10 a gateway reaches the wire, whatever the provider shows', () => {
    expect(reachableSource({ ownSource: 'none', gateway: true })).toBe('wire');
    const demand = { providerId: 'codex', minimumSource: 'wire', ownSource: 'none', gateway: true } as const;
    expect(() => requireReachableSource(demand)).not.toThrow();
  });

  it('AR-10 passes a source that is as strong or stronger', () => {
    const own = { providerId: 'claude', ownSource: 'stream', gateway: false } as const;
    expect(() => requireReachableSource({ ...own, minimumSource: 'stream' })).not.toThrow();
    expect(() => requireReachableSource({ ...own, minimumSource: 'transcript' })).not.toThrow();
    errorOf('SERVED_MODEL_SOURCE_UNREACHABLE', () => requireReachableSource({ ...own, minimumSource: 'wire' }));
  });
});
