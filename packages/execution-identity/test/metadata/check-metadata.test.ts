import { digestOfBytes } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import {
  Audience,
  checkFirstAttempt,
  checkInputDigest,
  checkMetadata,
  identityOfMetadata,
  metadataCodec,
  Role,
  roleOfAudience,
} from '../../src/index.ts';
import { refusal } from '../expect-code.ts';
import { documentV2, manifest, metadataV1, metadataV2, PROMPT, translatorMetadata } from '../samples.ts';

describe('metadata against the run manifest', () => {
  it('ID-3 that agree give the role execution of the manifest, with all that the row holds', () => {
    const rows = manifest.roleExecutions.map((row) => ({ ...row, modelRef: 'claude/opus' }));
    const row = checkMetadata(metadataV2(), { ...manifest, roleExecutions: rows });
    expect(row).toBe(rows[0]);
    expect(row.modelRef).toBe('claude/opus');
    expect(checkMetadata(translatorMetadata(), manifest).role).toBe(Role.translator);
  });

  it('ID-3 each mismatch is its own error', () => {
    const check = (changed: object) => () => checkMetadata(metadataV2({ ...changed }), manifest);
    expect(refusal('ROLE_EXECUTION_UNKNOWN', check({ roleExecutionRef: 're-9' })).field).toBe('roleExecutionRef');
    expect(refusal('PARTICIPANT_DISAGREES', check({ participantRef: 'p-codex' })).field).toBe('participantRef');
    expect(refusal('LABEL_DISAGREES', check({ executionLabel: 'Implementer 2' })).field).toBe('executionLabel');
  });

  it('ID-3 the message names both sides', () => {
    const { message } = refusal('LABEL_DISAGREES', () =>
      checkMetadata(metadataV2({ executionLabel: 'Other' }), manifest),
    );
    expect(message).toContain('"Other"');
    expect(message).toContain('"Label of re-implementer-1"');
  });

  it('ID-3 a participant that the manifest lost is refused', () => {
    refusal('PARTICIPANT_UNKNOWN', () => checkMetadata(metadataV2(), { ...manifest, participants: [] }));
  });

  it('ID-10 every audience but the role’s own is refused', () => {
    for (const audience of Object.values(Audience)) {
      const check = () => checkMetadata(metadataV2({ audience }), manifest);
      if (roleOfAudience(audience) === Role.implementer) expect(check().role).toBe(Role.implementer);
      else expect(refusal('AUDIENCE_ROLE_DISAGREES', check).field).toBe('audience');
    }
  });
});

describe('metadata of a plan', () => {
  it('ID-2 are of attempt 1', () => {
    expect(checkFirstAttempt(metadataV2())).toBeUndefined();
    refusal('ATTEMPT_NOT_FIRST', () => checkFirstAttempt(metadataV2({ attempt: 2 })));
  });

  it('ID-4 name the identity of the attempt', () => {
    const { invocationId: _, ...rest } = metadataV2();
    expect(rest).toMatchObject(identityOfMetadata(metadataV2()));
  });

  it('are for the very bytes of the prompt', () => {
    expect(checkInputDigest(metadataV2(), digestOfBytes(PROMPT), 'p.md')).toBeUndefined();
    const error = refusal('INPUT_DIGEST_DISAGREES', () =>
      checkInputDigest(metadataV1(), digestOfBytes(`${PROMPT}\n`), 'p.md'),
    );
    expect(error.path).toBe('p.md');
    expect(error.message).toContain(documentV2.inputDigest);
  });
});

describe('writing metadata', () => {
  it('gives back exactly what was read, without the generation', () => {
    expect(metadataCodec.encode(metadataV2())).toEqual(documentV2);
    expect(metadataCodec.encode(metadataV1())).not.toHaveProperty('generation');
  });

  it('refuses what could not be read back', () => {
    refusal('ATTEMPT_INVALID', () => metadataCodec.encode({ ...metadataV2(), attempt: 0 }));
    const mixed = { ...metadataV2(), workerId: 'w' };
    refusal('GENERATIONS_MIXED', () => metadataCodec.encode(mixed));
  });
});
