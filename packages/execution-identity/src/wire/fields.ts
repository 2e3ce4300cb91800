import { z } from 'zod';
import { dispatchKindPattern } from '../dispatch-kind.ts';
import { MAX_ATTEMPT } from '../ids/attempt.ts';
import { exactly } from '../ids/grammar.ts';
import { grammars } from '../ids/grammars.ts';
import { Audience, Role } from '../roles.ts';

const LONGEST_PATH = 4096;

// Each schema refuses exactly what the parser of its kind refuses, so that what passes it can be branded.
export const runIdField = z.string().regex(grammars.runId.pattern);
export const taskKeyField = z.string().regex(grammars.taskKey.pattern);
export const workerIdField = z.string().regex(grammars.workerId.pattern);
export const participantRefField = z.string().regex(grammars.participantRef.pattern);
export const roleExecutionRefField = z.string().regex(grammars.roleExecutionRef.pattern);
export const invocationRefField = z.string().regex(grammars.invocationRef.pattern);
export const invocationIdField = z.string().regex(grammars.invocationId.pattern);
export const dispatchIdField = z.string().regex(grammars.dispatchId.pattern);
export const batchIdField = z.string().regex(grammars.batchId.pattern);
export const executionLabelField = z.string().regex(grammars.executionLabel.pattern);
export const dutyIdField = z.string().regex(grammars.dutyId.pattern);
export const sessionIdField = z.string().regex(grammars.sessionId.pattern);
export const assignmentRefField = z.string().regex(grammars.assignmentRef.pattern);
export const attemptField = z.int().min(1).max(MAX_ATTEMPT);
export const roleField = z.enum(Role);
export const audienceField = z.enum(Audience);
export const dispatchKindField = z.string().regex(dispatchKindPattern);
export const inputDigestField = z.string().regex(/^sha256:[0-9a-f]{64}$/);
// A path is the file system's to name: only what can't be a path, or can't be UTF-8, is refused.
export const pathField = z
  .string()
  .regex(exactly(`(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff]){1,${LONGEST_PATH}}`));

/** The fields of a v2 identity, to be spread into the schema of a document that carries one (ID-6). */
export const identityFields = {
  participantRef: participantRefField,
  roleExecutionRef: roleExecutionRefField,
  invocationRef: invocationRefField,
  executionLabel: executionLabelField,
  dutyId: dutyIdField,
  attempt: attemptField,
} as const;
