export { type AppliedRun, applyRun } from './apply/apply-run.ts';
export { type DiscardedRun, discardRun } from './apply/discard-run.ts';
export { type AuditedCommand, type AuditedCommandRequest, auditCommand } from './audited-command/audited-command.ts';
export type { CommandPermission } from './audited-command/command-policy.ts';
export type { CommandEnd, CommandRequest } from './audited-command/run-to-end.ts';
export { type CreatedRun, createRun, draftManifest, type RunRequest } from './create/create-run.ts';
export { examine } from './doctor/doctor.ts';
export { draftConfig } from './doctor/draft-config.ts';
export type { ConfigFound } from './doctor/examine-config.ts';
export { findInstallations } from './doctor/find-agents.ts';
export type { Finding } from './doctor/finding.ts';
export { isRunError, RunError, RunErrorCode, type RunErrorFields } from './errors.ts';
export { type RunDifference, RunDifferenceCode } from './evidence/difference.ts';
export { parseAnchor, trustedKeys } from './evidence/trust.ts';
export type { UnauditedState } from './evidence/unaudited-attempts.ts';
export {
  type RunVerification,
  type VerdictState,
  type VerifyRunOptions,
  verifyRun,
} from './evidence/verify-run.ts';
export { environmentOf, type OpenRunOptions, openRun, poolOf, poolRowsOf, type Surroundings } from './open-run.ts';
export {
  type DriveOptions,
  type DriveResult,
  driveRun,
  type PlanOptions,
  planDue,
  settleOrInterrupt,
} from './phases/drive-run.ts';
export { type DueWorker, nextPhase, Phase, type PhaseStep, RunOutcome } from './phases/next-phase.ts';
export { type JobsFileRequest, planJobsFile, planUnauditedFile } from './phases/plan-jobs-file.ts';
export { planRoster, type RosterRequest } from './phases/plan-roster.ts';
export {
  type AgentConfig,
  commandsOf,
  configPathOf,
  DEFAULT_GRACE_MS,
  DEFAULT_HARD_MS,
  DEFAULT_IDLE_MS,
  DEFAULT_MAX_CONCURRENT,
  loadConfig,
  type ModelServerConfig,
  type ProjectConfig,
  type Seat,
  saveNewConfig,
} from './project/config.ts';
export { findProject, type Project } from './project/find-project.ts';
export { type PromptFacts, promptText, quoted } from './prompts/prompt-text.ts';
export { type PrunedRun, type PruneRequest, pruneRuns } from './prune/prune-runs.ts';
export { renderReport } from './report/render-report.ts';
export type { ReportFacts } from './report/report-facts.ts';
export { type SavedReport, saveReport } from './report/save-report.ts';
export {
  type DamagedRecord,
  type DefaultRun,
  isUnfinished,
  type LocatedRun,
  locateRun,
  type RunSurvey,
  readRun,
  type StoredRun,
  selectRun,
  surveyRuns,
} from './select-run.ts';
export { type Damage, damageOf } from './summary/damage.ts';
export { reportPathOf } from './summary/finish-report.ts';
export { costWords, shortDuration } from './summary/in-words.ts';
export { type AttemptSummary, type RunSummary, summariseRun } from './summary/run-summary.ts';
export { type AttemptStatus, type TeamStatus, teamStatus } from './summary/team-status.ts';
export { MAX_TASK_BYTES, parseTask, readTask, type Task } from './task/read-task.ts';
