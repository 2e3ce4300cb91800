export {
  alreadyClaimed,
  claimAttempt,
  closeAttempt,
  dropMarker,
  listOpenAttempts,
  type OpenAttempt,
  readAllRecords,
  readRecord,
  requireRecord,
  surveyOpenAttempts,
  surveyRecords,
  surveyRemovedRecords,
  type Unreadable,
  writeRecord,
} from './attempt-store.ts';
export { type AttemptView, attemptViewOf, type ChangeSummary, changeSummaryOf } from './attempt-view.ts';
export {
  dispatchRecordCodec,
  invocationCodec,
  runManifestCodec,
  statusSidecarCodec,
  stopIntentCodec,
  supervisionOrderCodec,
  teamStateCodec,
} from './codecs.ts';
export { appendErrorRow, appendErrorRows, LOG_TAIL_BYTES, readErrorRows } from './error-log.ts';
export {
  DispatchStateError,
  DispatchStateErrorCode,
  type DispatchStateErrorFields,
  isDispatchStateError,
} from './errors.ts';
export {
  appendLeadEvent,
  appendLeadEvents,
  commonDetailsOf,
  type EventKey,
  eventKeyOf,
  LeadEventType,
  readLeadEvents,
} from './lead-events.ts';
export { readTail } from './log-tail.ts';
export {
  findParticipant,
  findRoleExecution,
  roleExecutionsOfWorker,
  workTreeOf,
} from './manifest-rules.ts';
export { type AttemptFacts, factsOfRecord } from './model/attempt-facts.ts';
export type { DispatchRecord, RecordIdentityV2 } from './model/dispatch-record.ts';
export type { EndEvidence, Limits, ProcessIdentity, ServedModel, Unknown, Usage } from './model/facts.ts';
export type { Invocation } from './model/invocation.ts';
export type {
  AuditSummary,
  EndDetails,
  ErrorRow,
  EventDetails,
  LeadEvent,
  LeadEventOf,
  StepOutcome,
} from './model/lead-event.ts';
export type {
  CollectedArtifact,
  ContractOutcome,
  EvidenceOutcome,
  LayerOutcome,
  Lifecycle,
  ResultOutcome,
  RetryDecision,
} from './model/outcome.ts';
export type {
  InvocationAssignment,
  Participant,
  RoleExecution,
  RunManifest,
  StoredBinding,
} from './model/run-manifest.ts';
export type { StatusSidecar } from './model/status-sidecar.ts';
export type {
  BoundaryOrder,
  CostLimitOrder,
  GatewayOrder,
  LayerMeans,
  LayerOrder,
  ModelRuleOrder,
  OwnHomeOrder,
  PrivateHomeOrder,
  ProviderLimit,
  ServedModelExpectation,
  SupervisedJob,
  SupervisionOrder,
} from './model/supervision-order.ts';
export type { DispatchFact, Selection, StopIntent, TeamState, WorkerRow } from './model/team-state.ts';
export type { UnauditedErrorRow, UnauditedEvent, UnauditedRecord } from './model/unaudited.ts';
export { inOrderOfStart, type StartFacts } from './order-of-start.ts';
export { createRecordMemory, type RecordMemory } from './record-memory.ts';
export { workerOfRecord } from './record-rules.ts';
export {
  type CostFacts,
  costInSidecars,
  costOf,
  costOfAttempt,
  costStop,
  type RunCost,
  readRunCost,
} from './run-cost.ts';
export {
  batchLockPathOf,
  finishedReportPathOf,
  foldersOf,
  invocationPathOf,
  LockPurpose,
  layoutOfRun,
  logPathOf,
  openMarkerOf,
  type RunLayout,
  recordPathOf,
  resultLinkOf,
  resultsFolderOf,
  runLockPathOf,
  runsFolderOf,
  sidecarPathOf,
  snapshotPathOf,
  stopIntentPathOf,
} from './run-layout.ts';
export {
  createRun,
  listRuns,
  loadManifest,
  logSizeOf,
  RUN_LOCK_TIMEOUT_MS,
  readInvocation,
  readSidecar,
  saveInvocation,
  withRunLock,
  writeSidecar,
} from './run-store.ts';
export { appendSelection, readSelections } from './selections.ts';
export { type Settlement, settleRecord } from './settlement.ts';
export {
  BackendKind,
  DispatchStatus,
  EndProof,
  Isolation,
  isTerminalStage,
  isTerminalStatus,
  Stage,
  TERMINAL_STATUSES,
  WorkerStatus,
} from './stages.ts';
export { liftStopIntent, listStopIntents, readStopIntent, writeStopIntent } from './stop-intents.ts';
export { surveyAttempts } from './survey-attempts.ts';
export { modeOf, projectTeamState, type TeamFacts } from './team-projection.ts';
export { readTeamState, refreshTeamState } from './team-state.ts';
export {
  appendUnauditedError,
  appendUnauditedEvents,
  readUnauditedErrors,
  readUnauditedEvents,
} from './unaudited-log.ts';
export {
  claimUnaudited,
  readOpenUnaudited,
  readUnaudited,
  requireClaim,
  requireUnaudited,
  surveyUnaudited,
  unauditedPathOf,
  unauditedRecordCodec,
  writeUnaudited,
} from './unaudited-store.ts';
