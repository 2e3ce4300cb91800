import { z } from 'zod';
import {
  assignmentRefField,
  audienceField,
  dispatchKindField,
  identityFields,
  inputDigestField,
  invocationIdField,
  workerIdField,
} from './fields.ts';

const assignment = z.strictObject({
  hostModelValue: z.string().min(1).nullable(),
  modelRef: z.string().min(1).optional(),
  provider: z.string().min(1).optional(),
  runner: z.string().min(1).optional(),
  modelExecutionValue: z.string().min(1).optional(),
});

const common = {
  invocationId: invocationIdField,
  audience: audienceField,
  assignmentRef: assignmentRefField,
  assignment,
  dispatchKind: dispatchKindField,
  inputDigest: inputDigestField,
};

/** `<prompt>.meta.json` of the first generation: `schemaVersion` 1, no `executionIdentityVersion`, no refs (ID-1). */
export const PromptMetadataV1Document = z.strictObject({
  schemaVersion: z.literal(1),
  ...common,
  workerId: workerIdField.optional(),
});

/** `<prompt>.meta.json` of the second generation (ID-1, ID-2). */
export const PromptMetadataV2Document = z.strictObject({
  schemaVersion: z.literal('2.0'),
  executionIdentityVersion: z.literal(2),
  ...common,
  ...identityFields,
});
