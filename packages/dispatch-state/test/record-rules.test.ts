import { parseExecutionLabel, parseParticipantRef, parseRoleExecutionRef } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { type DispatchRecord, workerOfRecord } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { attemptOf, manifestLike } from './support/samples.ts';

const manifest = manifestLike('shared-tree');

describe('the worker of a record', () => {
  it('ID-7 is the one that its participant names in the manifest', () => {
    const renamed = {
      ...manifest,
      participants: manifest.participants.map((row) =>
        row.participantRef === 'participant.verifier-1'
          ? { ...row, workerId: manifest.participants[0]?.workerId }
          : row,
      ),
    };
    expect(workerOfRecord(attemptOf({ worker: 'verifier-1' }), manifest)).toBe('verifier-1');
    // The label says verifier-1 still: the worker is never taken from it.
    expect(workerOfRecord(attemptOf({ worker: 'verifier-1' }), renamed as typeof manifest)).toBe('implementer');
  });

  it.each<[string, Partial<DispatchRecord>, string]>([
    ['role execution', { roleExecutionRef: parseRoleExecutionRef('role.gone') }, 'ROLE_EXECUTION_UNKNOWN'],
    ['participant', { participantRef: parseParticipantRef('participant.verifier-1') }, 'PARTICIPANT_DISAGREES'],
    ['label', { executionLabel: parseExecutionLabel('verifier-1') }, 'LABEL_DISAGREES'],
  ])('ID-7 is refused, not guessed, where the %s disagrees with the manifest', async (_, changes, code) => {
    const record = attemptOf({}, changes);
    const error = await errorOf('RECORD_IDENTITY_DISAGREES', () => workerOfRecord(record, manifest));
    expect(error.message).toContain(record.dispatchId);
    expect(error.cause).toMatchObject({ code });
  });
});
