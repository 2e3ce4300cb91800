/** Why a dispatch was refused or broken off. */
export const DispatchErrorCode = {
  rosterEmpty: 'ROSTER_EMPTY',
  workerUnknown: 'WORKER_UNKNOWN',
  workerTwice: 'WORKER_TWICE',
  reportWriterNotAlone: 'REPORT_WRITER_NOT_ALONE',
  implementerWithVerifier: 'IMPLEMENTER_WITH_VERIFIER',
  backendUnsupported: 'BACKEND_UNSUPPORTED',
  promptInvalid: 'PROMPT_INVALID',
  promptTooLarge: 'PROMPT_TOO_LARGE',
  inputDigestDiffers: 'INPUT_DIGEST_DIFFERS',
  outputOutsideDropBox: 'OUTPUT_OUTSIDE_DROP_BOX',
  runnerNotDispatched: 'RUNNER_NOT_DISPATCHED',
  metadataMissing: 'METADATA_MISSING',
  attemptNotFirst: 'ATTEMPT_NOT_FIRST',
  generationUnaudited: 'GENERATION_UNAUDITED',
  batchMixesGenerations: 'BATCH_MIXES_GENERATIONS',
  assignmentDisagrees: 'ASSIGNMENT_DISAGREES',
  besideUnaudited: 'BESIDE_UNAUDITED',
  workerStopped: 'WORKER_STOPPED',
  contractMissing: 'CONTRACT_MISSING',
  boundaryUnavailable: 'BOUNDARY_UNAVAILABLE',
  batchAborted: 'BATCH_ABORTED',
  schemaExcerptStale: 'SCHEMA_EXCERPT_STALE',
  translatorNotCanonical: 'TRANSLATOR_NOT_CANONICAL',
  translatorNotAlone: 'TRANSLATOR_NOT_ALONE',
  modelServerUnsupported: 'MODEL_SERVER_UNSUPPORTED',
  modelKeyMissing: 'MODEL_KEY_MISSING',
  costLimitReached: 'COST_LIMIT_REACHED',
} as const;
export type DispatchErrorCode = (typeof DispatchErrorCode)[keyof typeof DispatchErrorCode];

const BRAND = Symbol.for('@bailiwick/dispatch/DispatchError');

/** What an error may add to its code and message; a field that says nothing is absent. */
export interface DispatchErrorFields {
  readonly path?: string;
  readonly hint?: string;
  readonly names?: readonly string[];
  readonly cause?: unknown;
}

/** A refused or broken-off dispatch; recognised across installed copies by its brand. */
export class DispatchError extends Error {
  readonly code: DispatchErrorCode;
  declare readonly path?: string;
  declare readonly hint?: string;
  declare readonly names?: readonly string[];

  constructor(code: DispatchErrorCode, message: string, fields: DispatchErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'DispatchError';
    this.code = code;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    if (fields.names !== undefined) this.names = fields.names;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for an error of this package, of any installed copy of it. */
export function isDispatchError(value: unknown): value is DispatchError {
  return value instanceof DispatchError;
}
