import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ATTRIBUTION_GRADES,
  AUDIT_STATUSES,
  decodeAudit,
  encodeAudit,
  judgeAttempt,
  type MutationAuditErrorCode,
  MutationAuditV1,
  unverifiableAudit,
  VIOLATION_CODES,
} from '../src/index.ts';
import { change, gitChange, input, verifier } from './support/judge-input.ts';

const fixtures = join(import.meta.dirname, 'fixtures/wire/v1');

describe('the audit on disk', () => {
  it('comes back equal from its encoding', () => {
    const audit = judgeAttempt(
      input(verifier('v'), {
        changes: [
          change('a'),
          change('b', { path: { pathBytes: Buffer.from('/p/\xff', 'latin1').toString('base64') } }),
        ],
        git: [gitChange({})],
        traces: [{ path: '/p/src', kind: 'transient' }],
        unverifiable: [{ path: '/p/x', reason: 'EACCES', ignored: false }],
      }),
    );
    for (const each of [audit, unverifiableAudit('gone')]) {
      expect(decodeAudit(JSON.parse(JSON.stringify(encodeAudit(each))), 'a record')).toEqual(each);
    }
  });

  it.each(readdirSync(join(fixtures, 'accept')))('accepts %s', (name) => {
    expect(() => decodeAudit(JSON.parse(readFileSync(join(fixtures, 'accept', name), 'utf8')), name)).not.toThrow();
  });

  it.each(readdirSync(join(fixtures, 'reject')))('refuses %s, naming where', (name) => {
    const value: unknown = JSON.parse(readFileSync(join(fixtures, 'reject', name), 'utf8'));
    expect(() => decodeAudit(value, name)).toThrow(expect.objectContaining({ code: 'AUDIT_INVALID' }));
  });

  it('has a JSON schema', () => {
    expect(z.toJSONSchema(MutationAuditV1, { io: 'input' })).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
  });

  it('has fixed words', () => {
    expect(AUDIT_STATUSES).toEqual([
      'unverifiable',
      'contract-breached',
      'contract-failed-unattributed',
      'mutation-present-unresolved',
      'failed-no-mutation',
      'ok',
    ]);
    expect(ATTRIBUTION_GRADES).toEqual(['none', 'call', 'exclusive', 'candidates', 'claimed', 'unattributed']);
    expect(VIOLATION_CODES).toEqual([
      'outside-policy',
      'out-of-plan',
      'never-writable',
      'protected-ignored',
      'git-state',
      'commit-outside-policy',
      'orchestrator-tampered',
      'unverifiable',
    ]);
    const codes: Record<MutationAuditErrorCode, true> = {
      SNAPSHOT_ROOT_INVALID: true,
      SNAPSHOT_ROOT_BARE: true,
      SNAPSHOT_WRITE_FAILED: true,
      SNAPSHOT_EXISTS: true,
      SNAPSHOT_MISSING: true,
      SNAPSHOT_DAMAGED: true,
      SNAPSHOT_NEWER_VERSION: true,
      SOURCE_UNREADABLE: true,
      AUDIT_THREAD_FAILED: true,
      AUDIT_INVALID: true,
    };
    expect(Object.keys(codes)).toHaveLength(10);
  });
});
