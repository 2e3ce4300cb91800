import { type IdGrammar, matches, requireMatch } from './grammar.ts';
import { grammars } from './grammars.ts';

declare const brand: unique symbol;
/** Text that only the parser of its name makes. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Names one run; letters, digits, `.`, `_`, `-`. */
export type RunId = Branded<'RunId'>;
/** `<project>/<group>/<task>`. */
export type TaskKey = Branded<'TaskKey'>;
/** Names a worker in the roster and on the command line. */
export type WorkerId = Branded<'WorkerId'>;
/** Names who takes part in a run. */
export type ParticipantRef = Branded<'ParticipantRef'>;
/** Names a participant in one role with one bound model. */
export type RoleExecutionRef = Branded<'RoleExecutionRef'>;
/** Names one duty in one round, with one input and one write contract; the same in all its attempts. */
export type InvocationRef = Branded<'InvocationRef'>;
/** Names one attempt's prompt and metadata; new in each attempt. */
export type InvocationId = Branded<'InvocationId'>;
/** `<invocationId>:attempt-<n>`; made by buildDispatchId. */
export type DispatchId = Branded<'DispatchId'>;
/** Names all jobs of one command. */
export type BatchId = Branded<'BatchId'>;
/** What people read for a role execution: pane titles, status rows. */
export type ExecutionLabel = Branded<'ExecutionLabel'>;
/** Names what an invocation owes. */
export type DutyId = Branded<'DutyId'>;
/** A session of an agent CLI, given by us or reported by it. */
export type SessionId = Branded<'SessionId'>;

/**
 * Makes an id of its kind, or throws IdentityError with the code of the kind (`RUN_ID_INVALID`, …), its `field` and, in
 * `path`, what `where` says of where the value came from.
 */
export type ParseId<Id extends string> = (value: unknown, where?: string) => Id;
/** Tells whether a value is an id of its kind; never throws. */
export type IsId<Id extends string> = (value: unknown) => value is Id;

/** Returns the value unchanged, or throws RUN_ID_INVALID. */
export const parseRunId = parserOf<RunId>(grammars.runId);
/** Returns the value unchanged, or throws TASK_KEY_INVALID. */
export const parseTaskKey = parserOf<TaskKey>(grammars.taskKey);
/** Returns the value unchanged, or throws WORKER_ID_INVALID. */
export const parseWorkerId = parserOf<WorkerId>(grammars.workerId);
/** Returns the value unchanged, or throws PARTICIPANT_REF_INVALID. */
export const parseParticipantRef = parserOf<ParticipantRef>(grammars.participantRef);
/** Returns the value unchanged, or throws ROLE_EXECUTION_REF_INVALID. */
export const parseRoleExecutionRef = parserOf<RoleExecutionRef>(grammars.roleExecutionRef);
/** Returns the value unchanged, or throws INVOCATION_REF_INVALID. */
export const parseInvocationRef = parserOf<InvocationRef>(grammars.invocationRef);
/** Returns the value unchanged, or throws INVOCATION_ID_INVALID. */
export const parseInvocationId = parserOf<InvocationId>(grammars.invocationId);
/** Returns the value unchanged, or throws DISPATCH_ID_INVALID. */
export const parseDispatchId = parserOf<DispatchId>(grammars.dispatchId);
/** Returns the value unchanged, or throws BATCH_ID_INVALID. */
export const parseBatchId = parserOf<BatchId>(grammars.batchId);
/** Returns the value unchanged, or throws EXECUTION_LABEL_INVALID. */
export const parseExecutionLabel = parserOf<ExecutionLabel>(grammars.executionLabel);
/** Returns the value unchanged, or throws DUTY_ID_INVALID. */
export const parseDutyId = parserOf<DutyId>(grammars.dutyId);
/** Returns the value unchanged, or throws SESSION_ID_INVALID. */
export const parseSessionId = parserOf<SessionId>(grammars.sessionId);

/** True for exactly what parseRunId returns. */
export const isRunId = guardOf<RunId>(grammars.runId);
/** True for exactly what parseTaskKey returns. */
export const isTaskKey = guardOf<TaskKey>(grammars.taskKey);
/** True for exactly what parseWorkerId returns. */
export const isWorkerId = guardOf<WorkerId>(grammars.workerId);
/** True for exactly what parseParticipantRef returns. */
export const isParticipantRef = guardOf<ParticipantRef>(grammars.participantRef);
/** True for exactly what parseRoleExecutionRef returns. */
export const isRoleExecutionRef = guardOf<RoleExecutionRef>(grammars.roleExecutionRef);
/** True for exactly what parseInvocationRef returns. */
export const isInvocationRef = guardOf<InvocationRef>(grammars.invocationRef);
/** True for exactly what parseInvocationId returns. */
export const isInvocationId = guardOf<InvocationId>(grammars.invocationId);
/** True for exactly what parseDispatchId returns. */
export const isDispatchId = guardOf<DispatchId>(grammars.dispatchId);
/** True for exactly what parseBatchId returns. */
export const isBatchId = guardOf<BatchId>(grammars.batchId);
/** True for exactly what parseExecutionLabel returns. */
export const isExecutionLabel = guardOf<ExecutionLabel>(grammars.executionLabel);
/** True for exactly what parseDutyId returns. */
export const isDutyId = guardOf<DutyId>(grammars.dutyId);
/** True for exactly what parseSessionId returns. */
export const isSessionId = guardOf<SessionId>(grammars.sessionId);

function parserOf<Id extends string>(grammar: IdGrammar): ParseId<Id> {
  // The one place where a checked string becomes a branded one.
  return (value, where) => requireMatch(grammar, value, where) as Id;
}

function guardOf<Id extends string>(grammar: IdGrammar): IsId<Id> {
  return (value): value is Id => matches(grammar, value);
}
