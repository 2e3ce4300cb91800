export {
  type AttemptAddress,
  type BackendCapabilities,
  type FailedStart,
  type LaunchOptions,
  type LaunchReport,
  Liveness,
  type PlacedJob,
  type Placement,
  type StageHint,
  type StartedWorker,
  type StopOptions,
  type StopOutcome,
  Support,
  type WorkerBackend,
} from './backend.ts';
export { backendConformance } from './conformance/backend-conformance.ts';
export type { ConformanceCheck, ConformanceResult } from './conformance/check.ts';
export type { ConformanceOptions } from './conformance/options.ts';
export { BackendError, BackendErrorCode, isBackendError } from './errors.ts';
export { STOPPED_AS_LOST } from './lost.ts';
