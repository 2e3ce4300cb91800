import { z } from 'zod';
import {
  assignmentRefField,
  attemptField,
  audienceField,
  dispatchKindField,
  dutyIdField,
  invocationIdField,
  invocationRefField,
  participantRefField,
  pathField,
  roleExecutionRefField,
} from './fields.ts';

/** A JSON file in the run's reservation root, with exactly these keys (TR-2). */
export const ReservationV2Document = z.strictObject({
  schemaVersion: z.literal('2.0'),
  executionIdentityVersion: z.literal(2),
  invocationId: invocationIdField,
  assignmentRef: assignmentRefField,
  audience: audienceField,
  dispatchKind: dispatchKindField,
  promptPath: pathField,
  metadataPath: pathField,
  invocationRef: invocationRefField,
  participantRef: participantRefField,
  roleExecutionRef: roleExecutionRefField,
  dutyId: dutyIdField,
  attempt: attemptField,
});
