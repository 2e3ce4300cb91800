import type {
  DispatchId,
  DutyId,
  ExecutionLabel,
  InvocationRef,
  ParticipantRef,
  RoleExecutionRef,
} from '@bailiwick/execution-identity';
import type { BackendKind } from '../stages.ts';

/** What every event says of its attempt: identity (ID-6), and where to look. */
export interface EventDetails {
  readonly dispatchId: DispatchId;
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly invocationRef: InvocationRef;
  readonly executionLabel: ExecutionLabel;
  readonly dutyId: DutyId;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly dispatchMode: BackendKind;
  readonly promptPath: string;
  readonly resultPath: string;
  readonly workerResultPath: string;
  readonly paneId: string | null;
  readonly degradedFrom: BackendKind | null;
}

/** Whether a step worked, and why not where it didn't. */
export interface StepOutcome {
  readonly ok: boolean;
  readonly reason: string;
}

/** A mutation audit as an event carries it; the whole one is in the record. */
export interface AuditSummary {
  readonly status: string;
  /** How many. */
  readonly changedPaths: number;
  readonly violations: readonly { readonly code: string; readonly path: string; readonly message: string }[];
  readonly attribution: string;
}

/** What the events of an attempt's end add. */
export interface EndDetails extends EventDetails {
  readonly exitCode: number | null;
  readonly reason: string;
  /** Null where nothing was started. */
  readonly mutationAudit: AuditSummary | null;
  /** Whether the failure's row reached the error log (EV-2); null where there was no failure. */
  readonly errorLogAppend: StepOutcome | null;
  readonly postProcessing: readonly string[];
}

/** A line of `lead-events.jsonl`: what happened to an attempt, as told to whoever follows the run (EV-1). */
export type LeadEvent =
  | LeadEventOf<'worker-dispatched', EventDetails>
  | LeadEventOf<
      'worker-retry-scheduled',
      EventDetails & {
        readonly reason: string;
        readonly missingCompletionPaths: readonly string[];
        readonly successor: DispatchId;
      }
    >
  | LeadEventOf<'worker-result-collected', EndDetails & { readonly resultLink: StepOutcome }>
  | LeadEventOf<
      'worker-failed',
      EndDetails & { readonly missingCompletionPaths: readonly string[]; readonly stoppedBy: string | null }
    >;

/** One kind of event, with its details. */
export interface LeadEventOf<Type extends string, Details> {
  readonly at: string;
  /** A run id. */
  readonly runId: string;
  readonly type: Type;
  readonly details: Details;
}

/** A line of `error-log.jsonl`: one failure of one attempt, with the end of what its agent printed (EV-2). */
export interface ErrorRow {
  readonly at: string;
  /** A run id. */
  readonly runId: string;
  readonly dispatchId: DispatchId;
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly invocationRef: InvocationRef;
  readonly executionLabel: ExecutionLabel;
  readonly dutyId: DutyId;
  readonly attempt: number;
  readonly message: string;
  readonly logPath: string;
  /** At most LOG_TAIL_BYTES of the log's bytes. */
  readonly logTail: string;
}
