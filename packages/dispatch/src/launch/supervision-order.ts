import { findProvider } from '@bailiwick/agent-providers';
import {
  batchLockPathOf,
  type DispatchRecord,
  recordPathOf,
  type SupervisedJob,
  type SupervisionOrder,
  stopIntentPathOf,
  workerOfRecord,
} from '@bailiwick/dispatch-state';
import { socketPathFor } from '@bailiwick/process-supervision';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';

/** What the supervisor of a round is told: every job whole, so that it needs to look nothing up. */
export async function supervisionOrderOf(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<SupervisionOrder> {
  const [first] = records;
  if (first === undefined) throw new DispatchError('ROSTER_EMPTY', 'there is nothing to start');
  const { layout, runtimeFolder } = context;
  return {
    schemaVersion: '1.0',
    runDirectory: layout.runDirectory,
    batchId: first.batchId,
    liveLockPath: batchLockPathOf(layout, first.batchId, 'live'),
    socketPath:
      runtimeFolder === null
        ? null
        : socketPathFor({ runtimeFolder, runDirectory: layout.runDirectory, batchId: first.batchId }),
    maxConcurrent: context.maxConcurrent,
    maxLogBytes: context.maxLogBytes,
    jobs: records.map((record) => supervisedJob(context, record)),
  };
}

function supervisedJob(context: DispatchContext, record: DispatchRecord): SupervisedJob {
  const provider = findProvider(record.provider);
  const override = context.commands[record.provider];
  const command = provider.command({
    model: record.modelExecutionValue,
    sessionId: record.sessionId,
    cwd: record.worktree,
    promptPath: record.promptPath,
    writeRoots: [record.dropBoxPath],
    role: record.role,
    unattendedWrites: true,
    ...(override === undefined ? {} : { command: override }),
  });
  return {
    dispatchId: record.dispatchId,
    recordPath: recordPathOf(context.layout, record.dispatchId),
    sidecarPath: record.statusSidecarPath,
    logPath: record.logPath,
    provider: record.provider,
    endEvidence: provider.endEvidence,
    argv: command.argv,
    env: agentEnvironment(context.agentEnvironment, command),
    cwd: record.worktree,
    stdin: command.stdin,
    promptPath: record.promptPath,
    dropBoxPath: record.dropBoxPath,
    sessionId: record.sessionId,
    limits: record.limits,
    servedModel: {
      selectedModelRef: record.modelRef,
      poolEntries: context.pool.entries.filter((entry) => entry.providerId === record.provider),
      minimumSource: context.minimumModelSource ?? null,
    },
    stopIntentPath: stopIntentPathOf(context.layout, workerOfRecord(record, context.manifest)),
  };
}

/** What the agent inherits, less what its provider must not see, plus what the provider sets. */
function agentEnvironment(
  inherited: Readonly<Record<string, string>>,
  command: { readonly env: Readonly<Record<string, string>>; readonly unsetEnv: readonly string[] },
): Readonly<Record<string, string>> {
  const kept = Object.entries(inherited).filter(([name]) => !command.unsetEnv.includes(name));
  return { ...Object.fromEntries(kept), ...command.env };
}
