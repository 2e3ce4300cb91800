import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  decodeEnforcement,
  decodePolicy,
  encodeEnforcement,
  encodePolicy,
  WriteEnforcementV1,
  WritePolicyV1,
} from '../../src/index.ts';
import { makePolicy } from '../make-policy.ts';

interface Fixture {
  readonly policy?: unknown;
  readonly enforcement?: unknown;
  /** JSON pointer to what is wrong. */
  readonly at?: string;
}

function fixtures(kind: 'accept' | 'reject'): readonly (readonly [string, Fixture])[] {
  const folder = new URL(`../fixtures/wire/v1/${kind}/`, import.meta.url);
  return readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Fixture]); // our own files
}

describe('stored policies and enforcements', () => {
  it.each(fixtures('accept'))(
    'WP-1 %s: payload, policy and payload again are the same',
    (_, { policy, enforcement }) => {
      if (policy !== undefined) expect(encodePolicy(decodePolicy(policy))).toEqual(policy);
      if (enforcement !== undefined) expect(encodeEnforcement(decodeEnforcement(enforcement))).toEqual(enforcement);
    },
  );

  it.each(fixtures('reject'))(
    'WP-4 %s is refused, and the place of the fault named',
    (_, { policy, enforcement, at }) => {
      const decode = () =>
        policy === undefined ? decodeEnforcement(enforcement, 'doc.json') : decodePolicy(policy, 'doc.json');
      expect(decode).toThrow(
        expect.objectContaining({
          code: policy === undefined ? 'ENFORCEMENT_INVALID' : 'POLICY_INVALID',
          message: expect.stringContaining('doc.json'),
          issues: expect.arrayContaining([expect.objectContaining({ path: at })]),
        }),
      );
    },
  );

  it('WP-1 a policy just built has a payload that reads back as it', () => {
    const policy = makePolicy({ plannedPaths: ['src', 'app/[id]/*.tsx'], scratch: ['**/*.swp'] });
    expect(decodePolicy(JSON.parse(JSON.stringify(encodePolicy(policy))))).toEqual(policy);
  });

  it('every payload field has a JSON Schema', () => {
    for (const [schema, fields] of [
      [
        WritePolicyV1,
        [
          'role',
          'projectRoot',
          'worktree',
          'artifactPaths',
          'plannedPaths',
          'auxiliaryRoots',
          'git',
          'ignored',
          'scratch',
          'maximumBoundaryPrecision',
        ],
      ],
      [WriteEnforcementV1, ['boundaryPrecision', 'mutationAudit', 'boundary', 'wider', 'keyIsolation', 'scope']],
    ] as const) {
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ required: fields, additionalProperties: false });
    }
  });
});
