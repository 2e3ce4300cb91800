import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePoolRow, modelSpecDigest, shippedModelPool } from '../src/index.ts';
import { binding, row } from './support.ts';

function digestOf(entryFields: Record<string, unknown> = {}, bindingFields: Record<string, unknown> = {}): string {
  const chosen = binding(bindingFields);
  const entry = decodePoolRow(row({ bindings: [chosen], ...entryFields }), 'test');
  return modelSpecDigest(entry, entry.bindings[0] ?? expect.unreachable());
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]: [string, unknown]) => [key, shuffled(inner)]),
  );
}

describe('modelSpecDigest', () => {
  it('ID-9 is a sha256 digest', () => {
    expect(digestOf()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('ID-9 does not change with key order or whitespace', () => {
    fc.assert(
      fc.property(fc.constantFrom(...shippedModelPool()), (shipped) => {
        const entry = decodePoolRow(shipped, 'shipped');
        const rewritten = JSON.parse(JSON.stringify(shuffled(shipped), null, '\t'));
        const again = decodePoolRow(rewritten, 'rewritten');
        const [first, second] = [entry.bindings[0], again.bindings[0]];
        if (first === undefined || second === undefined) return;
        expect(modelSpecDigest(again, second)).toBe(modelSpecDigest(entry, first));
      }),
    );
  });

  it.each([
    { modelRef: 'acme/large@2' },
    { modelRef: 'other/large@1', providerId: 'other' },
    { modelId: 'acme-large-2' },
    { versionKind: 'channel' },
    { channelFamily: 'huge' },
    { channelFamily: 'large2' },
    { aliases: ['big'] },
    { roles: ['verifier'] },
  ])('ID-9 changes with the specification field of %j', (fields) => {
    expect(digestOf(fields)).not.toBe(digestOf());
  });

  it.each([
    { hostId: 'codex' },
    { runner: 'host-native' },
    { resolvedExecutionValue: 'acme-larger' },
    { hostModelValue: 'large' },
    { workerWriteCapability: { maxBoundaryPrecision: 'file' } },
    { workerWriteCapability: null },
  ])('ID-9 changes with the binding field of %j', (fields) => {
    expect(digestOf({}, fields)).not.toBe(digestOf());
  });

  it('ID-9 tells an absent family from a family', () => {
    const { channelFamily: _, ...bare } = row();
    const entry = decodePoolRow(bare, 'test');
    expect(modelSpecDigest(entry, entry.bindings[0] ?? expect.unreachable())).not.toBe(digestOf());
  });

  it('ID-9 does not change with the bindings for other hosts', () => {
    const entry = decodePoolRow(row({ bindings: [binding(), binding({ hostId: 'codex' })] }), 'test');
    expect(modelSpecDigest(entry, entry.bindings[0] ?? expect.unreachable())).toBe(digestOf());
  });
});
