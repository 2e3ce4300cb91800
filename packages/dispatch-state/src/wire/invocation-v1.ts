import {
  dispatchKindField,
  dutyIdField,
  invocationRefField,
  participantRefField,
  roleExecutionRefField,
} from '@bailiwick/execution-identity/schema';
import { WriteEnforcementV1, WritePolicyV1 } from '@bailiwick/write-policy';
import { z } from 'zod';
import { DigestText } from './fields.ts';

/** `invocations/<invocationRef>.json`, version 1.0. What a schema can't say is in `invocationIssues`. */
export const InvocationV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  invocationRef: invocationRefField,
  participantRef: participantRefField,
  roleExecutionRef: roleExecutionRefField,
  sourceInvocationRef: invocationRefField.nullable(),
  recoveryRef: z.string().nullable(),
  dutyId: dutyIdField,
  dispatchKind: dispatchKindField,
  round: z.int().min(1),
  inputDigest: DigestText,
  writePolicy: WritePolicyV1,
  writePolicyDigest: DigestText,
  writeEnforcement: WriteEnforcementV1,
});
