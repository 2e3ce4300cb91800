import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeIdentity,
  encodeIdentity,
  identityOfMetadata,
  parseExecutionLabel,
  parseParticipantRef,
  parseWorkerId,
  type RecordedIdentity,
  workerOf,
} from '../../src/index.ts';
import { refusal } from '../expect-code.ts';
import { manifest, metadataV2 } from '../samples.ts';

const v2: RecordedIdentity & { generation: 'v2' } = { generation: 'v2', ...identityOfMetadata(metadataV2()) };
const v1: RecordedIdentity = { generation: 'v1', workerId: parseWorkerId('claude-worker'), attempt: 2 };
const identityKeys = ['participantRef', 'roleExecutionRef', 'invocationRef', 'executionLabel', 'dutyId', 'attempt'];

describe('what a row carries of an identity', () => {
  it('ID-6 of a v2 job: the refs, label, duty and attempt, and no worker id', () => {
    expect(Object.keys(encodeIdentity(v2))).toEqual(identityKeys);
    expect(encodeIdentity(v2)).toEqual({
      participantRef: 'p-claude',
      roleExecutionRef: 're-implementer-1',
      invocationRef: 'inv-1',
      executionLabel: 'Label of re-implementer-1',
      dutyId: 'implement',
      attempt: 1,
    });
  });

  it('ID-6 of a v1 job: worker id and attempt, and none of the refs', () => {
    expect(encodeIdentity(v1)).toEqual({ workerId: 'claude-worker', attempt: 2 });
  });

  it('ID-6 carries nothing of what else the given object holds', () => {
    const more = { ...v2, workerId: 'x', sessionId: 'y' };
    expect(Object.keys(encodeIdentity(more))).toEqual(identityKeys);
  });

  it('ID-6 comes back from among the other fields of the row', () => {
    for (const identity of [v1, v2]) {
      const row = { dispatchId: 'd', ...encodeIdentity(identity), status: 'running' };
      expect(decodeIdentity(row, manifest, 'dispatches/d.json')).toEqual(identity);
    }
  });

  it('ID-6 is refused where both generations are in one row, whichever ref stands beside the worker id', () => {
    for (const key of identityKeys.filter((key) => key !== 'attempt')) {
      const row = { workerId: 'claude-worker', attempt: 1, [key]: 'x' };
      expect(refusal('GENERATIONS_MIXED', () => decodeIdentity(row, manifest, 'row')).field).toBe(key);
    }
    refusal('GENERATIONS_MIXED', () => decodeIdentity({ ...encodeIdentity(v2), workerId: 'w' }, manifest, 'row'));
  });

  it('ID-7 half an identity is refused, whichever field is missing', () => {
    fc.assert(
      fc.property(fc.subarray(identityKeys, { maxLength: identityKeys.length - 1 }), (kept) => {
        const row = Object.fromEntries(Object.entries(encodeIdentity(v2)).filter(([key]) => kept.includes(key)));
        const error = refusal('IDENTITY_INCOMPLETE', () => decodeIdentity(row, manifest, 'dispatches/d.json'));
        expect(error.path).toBe('dispatches/d.json');
        for (const key of identityKeys) expect(error.message.includes(key)).toBe(!kept.includes(key));
      }),
    );
    refusal('IDENTITY_INCOMPLETE', () => decodeIdentity({ workerId: 'w' }, manifest, 'row'));
    refusal('IDENTITY_INCOMPLETE', () => decodeIdentity({}, manifest, 'row'));
  });

  it('ID-7 a participant, label or role execution that the manifest contradicts is refused', () => {
    const row = encodeIdentity(v2);
    const read = (changed: object) => () => decodeIdentity({ ...row, ...changed }, manifest, 'row');
    refusal('PARTICIPANT_DISAGREES', read({ participantRef: 'p-codex' }));
    refusal('LABEL_DISAGREES', read({ executionLabel: 'Label of re-verifier-1' }));
    refusal('ROLE_EXECUTION_UNKNOWN', read({ roleExecutionRef: 're-9' }));
    refusal('PARTICIPANT_UNKNOWN', () => decodeIdentity(row, { ...manifest, participants: [] }, 'row'));
  });

  it('ID-7 a wrong value in a field is refused by the code of the field', () => {
    const row = encodeIdentity(v2);
    refusal('ATTEMPT_INVALID', () => decodeIdentity({ ...row, attempt: '1' }, manifest, 'row'));
    refusal('DUTY_ID_INVALID', () => decodeIdentity({ ...row, dutyId: null }, manifest, 'row'));
    refusal('WORKER_ID_INVALID', () => decodeIdentity({ workerId: '', attempt: 1 }, manifest, 'row'));
    refusal('NOT_AN_OBJECT', () => decodeIdentity(null, manifest, 'row'));
    refusal('NOT_AN_OBJECT', () => decodeIdentity([row], manifest, 'row'));
  });
});

describe('the worker of an identity', () => {
  it('ID-7 is the one that the participant names in the manifest', () => {
    expect(workerOf(v2, manifest)).toBe('claude-worker');
  });

  it('ID-7 of a v1 identity is its own', () => {
    expect(workerOf(v1, { participants: [], roleExecutions: [] })).toBe('claude-worker');
  });

  it('ID-7 is not guessed where the manifest contradicts the identity', () => {
    const other = parseParticipantRef('p-codex');
    refusal('PARTICIPANT_DISAGREES', () => workerOf({ ...v2, participantRef: other }, manifest));
    refusal('LABEL_DISAGREES', () => workerOf({ ...v2, executionLabel: parseExecutionLabel('x') }, manifest));
  });

  it('ID-7 is not guessed where the manifest names the participant or role execution twice', () => {
    const [participant] = manifest.participants;
    const [row] = manifest.roleExecutions;
    if (participant === undefined || row === undefined) throw new Error('the sample has rows');
    const twoParticipants = {
      ...manifest,
      participants: [participant, { ...participant, workerId: parseWorkerId('b') }],
    };
    refusal('PARTICIPANT_AMBIGUOUS', () => workerOf(v2, twoParticipants));
    refusal('ROLE_EXECUTION_AMBIGUOUS', () => workerOf(v2, { ...manifest, roleExecutions: [row, row] }));
  });
});
