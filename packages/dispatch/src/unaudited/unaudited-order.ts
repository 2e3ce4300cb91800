import { findProvider } from '@bailiwick/agent-providers';
import {
  batchLockPathOf,
  type SupervisedJob,
  type SupervisionOrder,
  stopIntentPathOf,
  type UnauditedRecord,
  unauditedPathOf,
} from '@bailiwick/dispatch-state';
import { socketPathFor } from '@bailiwick/process-supervision';
import type { DispatchContext } from '../context.ts';
import { type ServedWorker, servedWorker } from '../launch/model-server.ts';
import { orderLimitsOf } from '../launch/order-limits.ts';
import { agentEnvironment, poolEntriesOf } from '../launch/supervision-order.ts';

/** What the supervisor of v1 jobs is told. No boundary holds them: there is no contract that one could put in force. */
export async function unauditedOrderOf(
  context: DispatchContext,
  first: UnauditedRecord,
  records: readonly UnauditedRecord[],
): Promise<SupervisionOrder> {
  const { layout, runtimeFolder } = context;
  const { batchId } = first;
  const { runDirectory } = layout;
  return {
    schemaVersion: '1.0',
    runDirectory,
    batchId,
    liveLockPath: batchLockPathOf(layout, batchId, 'live'),
    socketPath: runtimeFolder === null ? null : socketPathFor({ runtimeFolder, runDirectory, batchId }),
    ...(await orderLimitsOf(context, records)),
    maxLogBytes: context.maxLogBytes,
    poolEntries: poolEntriesOf(context, records),
    jobs: records.map((record) => jobOf(context, record)),
  };
}

function jobOf(context: DispatchContext, record: UnauditedRecord): SupervisedJob {
  const provider = findProvider(record.provider);
  const override = context.commands[record.provider];
  const served = servedWorker(context, record);
  const command = provider.command({
    model: record.modelExecutionValue,
    sessionId: record.sessionId,
    cwd: record.worktree,
    promptPath: record.promptPath,
    writeRoots: [record.dropBoxPath],
    role: record.role,
    unattendedWrites: true,
    ...(served === undefined ? {} : { endpoint: served.endpoint }),
    ...(override === undefined ? {} : { command: override }),
  });
  return {
    dispatchId: record.dispatchId,
    recordPath: unauditedPathOf(context.layout, record.dispatchId),
    sidecarPath: record.statusSidecarPath,
    logPath: record.logPath,
    provider: record.provider,
    endEvidence: provider.endEvidence,
    argv: command.argv,
    env: agentEnvironment(inherited(context, record, served), command, served?.unsetEnv),
    cwd: record.worktree,
    stdin: command.stdin,
    promptPath: record.promptPath,
    dropBoxPath: record.dropBoxPath,
    sessionId: record.sessionId,
    limits: record.limits,
    servedModel: {
      selectedModelRef: record.modelRef,
      poolEntries: [],
      minimumSource: context.minimumModelSource ?? null,
    },
    stopIntentPath: stopIntentPathOf(context.layout, record.workerId),
    ...served?.jobParts(command),
  };
}

/** With a HOME of its own the agent's folder is there too, not where the user's variable says. */
function inherited(
  { agentEnvironment: all }: DispatchContext,
  { provider }: UnauditedRecord,
  served: ServedWorker | undefined,
): Readonly<Record<string, string>> {
  const { variable } = findProvider(provider).home;
  if (variable === null || served === undefined) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== variable));
}
