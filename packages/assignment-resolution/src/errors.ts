import type { ProviderInstallation } from './model.ts';

/** Every code of {@link AssignmentError}; after each, what the caller may do next. */
export const AssignmentErrorCode = {
  /** Fix input: not `<provider>/<model>[@<version>]`. */
  modelRefInvalid: 'MODEL_REF_INVALID',
  /** Fix input: the pool has no such ref or alias; `details.suggestions` are the nearest. */
  modelUnknown: 'MODEL_UNKNOWN',
  /** Fix input: several rows answer to the name; `details.candidates` are their refs. */
  modelAmbiguous: 'MODEL_AMBIGUOUS',
  /** Fix the row that `details.where` names; `details.issues` lists its bad paths. */
  modelPoolRowInvalid: 'MODEL_POOL_ROW_INVALID',
  /** Choose a model that this host offers, or another host. */
  modelNotOnHost: 'MODEL_NOT_ON_HOST',
  /** Install the agent CLI, then retry. */
  providerNotInstalled: 'PROVIDER_NOT_INSTALLED',
  /** Install a supported version, then retry. */
  providerUnsupported: 'PROVIDER_UNSUPPORTED',
  /** Choose a model with a binding that a worker can run through. */
  noWorkerBinding: 'NO_WORKER_BINDING',
  /** Choose a model for this role. */
  roleNotAllowed: 'ROLE_NOT_ALLOWED',
  /** Give up: only cli-wrapper bindings are dispatched. */
  runnerNotDispatchable: 'RUNNER_NOT_DISPATCHABLE',
  /** Fix the manifest: lead runtime and terminal backend are both required. */
  hostContextInvalid: 'HOST_CONTEXT_INVALID',
  /** Make a new run, or undo what `details.changed` or `cause` names. */
  bindingNoLongerStands: 'BINDING_NO_LONGER_STANDS',
  /** Demand a weaker source, use the gateway, or choose another agent. */
  sourceUnreachable: 'SERVED_MODEL_SOURCE_UNREACHABLE',
} as const;
/** One of these codes. */
export type AssignmentErrorCode = (typeof AssignmentErrorCode)[keyof typeof AssignmentErrorCode];

/** One bad place of a document. `path` is a JSON pointer, `''` the document itself. */
export interface PathIssue {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  /** Without the place. */
  readonly message: string;
}

/** A field that differs between what a run was bound to and what would be bound now; `null` = has none. */
export interface FieldChange {
  /** Dotted, e.g. `binding.resolvedExecutionValue`. */
  readonly field: string;
  /** As it was bound. */
  readonly old: unknown;
  /** As it would be bound now. */
  readonly new: unknown;
}

/** The facts behind an error; which of them are there follows from its code. */
export interface AssignmentErrorDetails {
  /** The ref or alias that was asked for, else the entry's ref. */
  readonly modelRef?: string;
  /** The agent CLI. */
  readonly providerId?: string;
  /** The host that was resolved for. */
  readonly hostId?: string;
  /** The role that was asked for. */
  readonly role?: string;
  /** The runner that isn't dispatched. */
  readonly runner?: string;
  /** The host context's wrong field: `leadRuntime` or `terminalBackend`. */
  readonly field?: string;
  /** The pool row's place. */
  readonly where?: string;
  /** The row that no longer stands. */
  readonly roleExecutionRef?: string;
  /** What was found of the agent CLI; absent where nothing was. */
  readonly installation?: ProviderInstallation;
  /** The roles that the model may have. */
  readonly allowedRoles?: readonly string[];
  /** The hosts that the model is offered on. */
  readonly offeredHosts?: readonly string[];
  /** The nearest refs, best first. */
  readonly suggestions?: readonly string[];
  /** The refs of all rows that answer to the name. */
  readonly candidates?: readonly string[];
  /** Every bad place of a pool row. */
  readonly issues?: readonly PathIssue[];
  /** Every field that differs. */
  readonly changed?: readonly FieldChange[];
  /** The fields that an unbound role execution lacks. */
  readonly unbound?: readonly string[];
  /** What the run demands. */
  readonly minimumSource?: string;
  /** The best that the provider can show. */
  readonly reachableSource?: string;
}

/** What an {@link AssignmentError} is made of. */
export interface AssignmentErrorOptions {
  /** The facts, for programs. */
  readonly details: AssignmentErrorDetails;
  /** What the reader can do about it, one sentence. */
  readonly hint: string;
  /** What was caught, where something was. */
  readonly cause?: unknown;
}

const brand = Symbol.for('@bailiwick/assignment-resolution/AssignmentError');

/** A model can't be resolved, or a binding or served model isn't what was selected. */
export class AssignmentError extends Error {
  /** One of the closed set. */
  readonly code: AssignmentErrorCode;
  /** The facts, for programs. */
  readonly details: AssignmentErrorDetails;
  /** What the reader can do about it, one sentence. */
  readonly hint: string;
  /** By which every installed copy knows it. */
  readonly [brand] = true;

  constructor(code: AssignmentErrorCode, message: string, options: AssignmentErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AssignmentError';
    this.code = code;
    this.details = options.details;
    this.hint = options.hint;
  }

  /** True for an error of any installed copy. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** Whether it is an {@link AssignmentError}, made by this or by another installed copy of the package. */
export function isAssignmentError(error: unknown): error is AssignmentError {
  return error instanceof AssignmentError;
}
