export { rotatedLogPath } from './attempt/agent-log.ts';
export { bareTerminalSidecar, type SidecarSource, startingSidecar } from './attempt/sidecars.ts';
export { STOP_TICK_MS } from './batch.ts';
export { type BwrapRequest, bwrapArguments, type ExtraBind } from './boundary/bwrap-arguments.ts';
export { findNestedGit } from './boundary/find-nested-git.ts';
export { LayerFolder, layerFolderOf } from './boundary/layer-mounts.ts';
export { type LayerQuestion, type LayerTest, testLayer } from './boundary/layer-test.ts';
export { namespaceNoteOf, removeNamespaceNote } from './boundary/namespace-note.ts';
export { lookAtPaths, type PathFacts } from './boundary/path-facts.ts';
export {
  MAX_MOUNTS,
  type Mount,
  type MountPlan,
  type MountRequest,
  pathsToLookAt,
  planMounts,
} from './boundary/plan-mounts.ts';
export { removePrivatePlaces } from './boundary/private-places.ts';
export { askLayer, removeLayer } from './boundary/read-layer.ts';
export { type BoundaryTest, testBoundary } from './boundary/self-test.ts';
export { type StartQuestion, type StartTest, testStart } from './boundary/start-test.ts';
export { type AttemptTrial, type AttemptTrialEnd, tryAsAttempt } from './boundary/try-as-attempt.ts';
export {
  isSupervisionError,
  SupervisionError,
  SupervisionErrorCode,
  type SupervisionErrorFields,
} from './errors.ts';
export { FENCE_VARIABLE, SLOT_VARIABLE } from './fence.ts';
export {
  type EndTreeOutcome,
  type EndTreeRequest,
  endProcessTree,
  FORCED_END_MS,
  findAttemptProcesses,
} from './process/end-tree.ts';
export { findExecutable } from './process/find-executable.ts';
export { type ProcessState, processState, readProcessIdentity } from './process/identity.ts';
export { connectSupervisor, type SupervisorConnection } from './socket/connect-supervisor.ts';
export { MAX_SOCKET_PATH_BYTES, type SocketPlace, socketPathFor } from './socket/socket-path.ts';
export { runSupervisor, type SupervisorIo } from './supervisor.ts';
export { SUPERVISOR_VERSION } from './version.ts';
export { type LaunchLine, parseLaunchLine } from './wire/launch-line.ts';
export type { StageMessage, StopMessage } from './wire/socket-messages.ts';
