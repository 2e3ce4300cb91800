import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  compareWithSnapshot,
  isMutationAuditError,
  judgeAttempt,
  type MutationAudit,
  takeSnapshot,
  unverifiableAudit,
} from '@bailiwick/mutation-audit';
import type { WriteContract } from '@bailiwick/write-policy';
import type { Project } from '../project/find-project.ts';
import { type CommandPermission, commandContract, commandOrchestratorPaths } from './command-policy.ts';
import { type CommandEnd, type CommandRequest, runToEnd } from './run-to-end.ts';

/** A command of no run, with what it may write. */
export interface AuditedCommandRequest extends Omit<CommandRequest, 'fence'> {
  readonly project: Project;
  readonly permission: CommandPermission;
}

/** What a command did to a project. */
export interface AuditedCommand {
  readonly command: readonly string[];
  readonly end: CommandEnd;
  readonly contract: WriteContract;
  readonly audit: MutationAudit;
}

/**
 * The audit as a tool of its own: baseline, the command with everything it starts, comparison, verdict. Where something of the command
 * could not be ended, or not be looked for, the audit is `unverifiable`.
 *
 * Nothing has been started where it throws before the command runs: WritePolicyError, RunError POLICY_FILE_INVALID and
 * COMMAND_NOT_STARTED, MutationAuditError of `takeSnapshot`.
 */
export async function auditCommand(request: AuditedCommandRequest): Promise<AuditedCommand> {
  const contract = await commandContract(request.project, request.permission);
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-audit-'));
  try {
    const snapshotPath = join(folder, 'baseline.snap');
    await takeSnapshot({ roots: rootsOf(request.project), snapshotPath, exclude: excluded(request.project, folder) });
    const fence = `audit-exec-${randomUUID()}`;
    const end = await runToEnd({ ...request, fence });
    const audit = await judge({ request, contract, fence, end, snapshotPath });
    return { command: request.argv, end, contract, audit };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rootsOf({ root, gitCommonDirectory }: Project) {
  return [{ path: root, git: gitCommonDirectory === null ? 'none' : 'auto' } as const];
}

function excluded(project: Project, folder: string): readonly string[] {
  return [...commandOrchestratorPaths(project), folder];
}

interface Judged {
  readonly request: AuditedCommandRequest;
  readonly contract: WriteContract;
  readonly fence: string;
  readonly end: CommandEnd;
  readonly snapshotPath: string;
}

/** Never compared while something of the command may still write. */
async function judge({ request, contract, fence, end, snapshotPath }: Judged): Promise<MutationAudit> {
  if (end.problem !== null) return unverifiableAudit(end.problem);
  const self = { dispatchId: fence, label: basename(request.argv[0]), contract };
  try {
    return judgeAttempt({
      observation: await compareWithSnapshot({ snapshotPath }),
      self,
      batch: [self],
      declaredEdits: new Map(),
      attemptFailed: end.exitCode !== 0,
      resultPresent: true,
      orchestrator: commandOrchestratorPaths(request.project),
    });
  } catch (error) {
    if (!isMutationAuditError(error)) throw error;
    return unverifiableAudit(error.message);
  }
}
