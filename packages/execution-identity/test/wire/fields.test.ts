import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { z } from 'zod';
import * as ids from '../../src/index.ts';
import * as fields from '../../src/schema.ts';
import { lineText, notText, refusedText } from '../arbitraries.ts';

const kinds: readonly [name: string, field: z.ZodType, is: (value: unknown) => boolean][] = [
  ['runId', fields.runIdField, ids.isRunId],
  ['taskKey', fields.taskKeyField, ids.isTaskKey],
  ['workerId', fields.workerIdField, ids.isWorkerId],
  ['participantRef', fields.participantRefField, ids.isParticipantRef],
  ['roleExecutionRef', fields.roleExecutionRefField, ids.isRoleExecutionRef],
  ['invocationRef', fields.invocationRefField, ids.isInvocationRef],
  ['invocationId', fields.invocationIdField, ids.isInvocationId],
  ['dispatchId', fields.dispatchIdField, ids.isDispatchId],
  ['batchId', fields.batchIdField, ids.isBatchId],
  ['executionLabel', fields.executionLabelField, ids.isExecutionLabel],
  ['dutyId', fields.dutyIdField, ids.isDutyId],
  ['sessionId', fields.sessionIdField, ids.isSessionId],
  ['attempt', fields.attemptField, ids.isAttempt],
  ['role', fields.roleField, ids.isRole],
  ['audience', fields.audienceField, ids.isAudience],
  ['dispatchKind', fields.dispatchKindField, ids.isDispatchKind],
];

describe('the schema fields for documents of other packages', () => {
  it.each(kinds)('%s accepts exactly what its parser accepts', (_, field, is) => {
    const value = fc.oneof(
      lineText(220),
      refusedText,
      notText,
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constantFrom('a/b/c', 'a/../c', 'initial', 'reverify-r2', 'translator', 'verifier', 1, 999_999, '-x', 'a,b'),
    );
    fc.assert(
      fc.property(value, (it) => field.safeParse(it).success === is(it)),
      { numRuns: 500 },
    );
  });
});
