import { IdentityErrorCode } from '../errors.ts';
import { COUNT, exactly, type IdGrammar, LONGEST_ID, lineOf, slashedOf, wordOf } from './grammar.ts';

// An invocation ref leaves room for `~<attempt>` in the invocation id, which leaves room for `:attempt-<n>` in the
// dispatch id: whatever ref a plan accepts, the ids of its retries are accepted too.
const LONGEST_INVOCATION_ID = 180;
const LONGEST_INVOCATION_REF = 160;
const LONGEST_RUN_ID = 100;

/** What each id must look like, by the key that documents carry it under: parsers and wire schemas are made of these. */
export const grammars = {
  runId: shaped('runId', 'a run id', IdentityErrorCode.runIdInvalid, {
    source: `[A-Za-z0-9][A-Za-z0-9._\\-]{0,${LONGEST_RUN_ID - 1}}`,
    maxCharacters: LONGEST_RUN_ID,
    form: 'letters, digits, ".", "_" and "-", the first a letter or digit',
  }),
  taskKey: shaped('taskKey', 'a task key', IdentityErrorCode.taskKeyInvalid, {
    source: slashedOf(3, LONGEST_ID),
    form: '<project>/<group>/<task>, no part empty, "." or ".."',
  }),
  workerId: shaped('workerId', 'a worker id', IdentityErrorCode.workerIdInvalid, {
    source: wordOf(LONGEST_ID, ','),
    form: 'one word without a comma and without a leading "-"',
  }),
  participantRef: line('participantRef', 'a participant ref', IdentityErrorCode.participantRefInvalid),
  roleExecutionRef: line('roleExecutionRef', 'a role execution ref', IdentityErrorCode.roleExecutionRefInvalid),
  invocationRef: line(
    'invocationRef',
    'an invocation ref',
    IdentityErrorCode.invocationRefInvalid,
    LONGEST_INVOCATION_REF,
  ),
  invocationId: line('invocationId', 'an invocation id', IdentityErrorCode.invocationIdInvalid, LONGEST_INVOCATION_ID),
  dispatchId: shaped('dispatchId', 'a dispatch id', IdentityErrorCode.dispatchIdInvalid, {
    source: `${lineOf(LONGEST_INVOCATION_ID)}:attempt-${COUNT}`,
    form: '<invocationId>:attempt-<n>',
  }),
  batchId: line('batchId', 'a batch id', IdentityErrorCode.batchIdInvalid),
  executionLabel: line('executionLabel', 'an execution label', IdentityErrorCode.executionLabelInvalid),
  dutyId: line('dutyId', 'a duty id', IdentityErrorCode.dutyIdInvalid),
  sessionId: shaped('sessionId', 'a session id', IdentityErrorCode.sessionIdInvalid, {
    source: wordOf(LONGEST_ID),
    form: 'one word without a leading "-"',
  }),
  assignmentRef: line('assignmentRef', 'an assignment ref', IdentityErrorCode.assignmentRefInvalid),
} as const satisfies Record<string, IdGrammar>;

function line(field: string, called: string, code: IdentityErrorCode, maxCharacters = LONGEST_ID): IdGrammar {
  const form = `one line of at most ${maxCharacters} characters without white space at its ends`;
  return shaped(field, called, code, { source: lineOf(maxCharacters), maxCharacters, form });
}

function shaped(
  field: string,
  called: string,
  code: IdentityErrorCode,
  shape: { source: string; form: string; maxCharacters?: number },
): IdGrammar {
  const { source, form, maxCharacters = LONGEST_ID } = shape;
  return { field, called, code, pattern: exactly(source), maxCharacters, form };
}
