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
import { boundaryOrderOf, type LaunchedBoundary } from '../boundary/boundary-order.ts';
import type { DispatchContext } from '../context.ts';
import { aliveAttempts } from '../contract/other-attempts.ts';
import { DispatchError } from '../errors.ts';
import { mapSeveral } from '../several-at-once.ts';
import { type ServedWorker, servedWorker } from './model-server.ts';
import { orderLimitsOf } from './order-limits.ts';
import { ownSandboxOf, writeRootsOfAgent } from './own-sandbox.ts';

/** What the supervisor of a round is told: every job whole, so that it needs to look nothing up. */
export async function supervisionOrderOf(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<SupervisionOrder> {
  const [first] = records;
  if (first === undefined) throw new DispatchError('ROSTER_EMPTY', 'there is nothing to start');
  const { layout, runtimeFolder } = context;
  const socketPath =
    runtimeFolder === null
      ? null
      : socketPathFor({ runtimeFolder, runDirectory: layout.runDirectory, batchId: first.batchId });
  const alive = records.some(isConfined) ? await aliveAttempts(context) : [];
  return {
    schemaVersion: '1.0',
    runDirectory: layout.runDirectory,
    batchId: first.batchId,
    liveLockPath: batchLockPathOf(layout, first.batchId, 'live'),
    socketPath,
    ...(await orderLimitsOf(context, records)),
    maxLogBytes: context.maxLogBytes,
    poolEntries: poolEntriesOf(context, records),
    jobs: await mapSeveral(records, async (record) => {
      const boundary = await boundaryOrderOf(context, record, { socketPath, alive });
      const writeRoots = await writeRootsOfAgent(context, record, boundary);
      return supervisedJob(context, record, { boundary, writeRoots });
    }),
  };
}

/** The models of every provider that has a job, once for all of them; whoever uses one judges it. */
export function poolEntriesOf(
  { pool }: DispatchContext,
  records: readonly { readonly provider: string }[],
): readonly unknown[] {
  return [...new Set(records.map(({ provider }) => provider))].flatMap((provider) => pool.rowsOf(provider));
}

function isConfined({ writeEnforcement }: DispatchRecord): boolean {
  return writeEnforcement.boundary === 'bubblewrap';
}

function supervisedJob(
  context: DispatchContext,
  record: DispatchRecord,
  { boundary, writeRoots }: { readonly boundary: LaunchedBoundary | undefined; readonly writeRoots: readonly string[] },
): SupervisedJob {
  const provider = findProvider(record.provider);
  const override = context.commands[record.provider];
  const served = servedWorker(context, record);
  const command = provider.command({
    model: record.modelExecutionValue,
    sessionId: record.sessionId,
    cwd: record.worktree,
    promptPath: record.promptPath,
    writeRoots,
    role: record.role,
    unattendedWrites: true,
    ...ownSandboxOf(record, boundary),
    ...(served === undefined ? {} : { endpoint: served.endpoint }),
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
    env: agentEnvironment(withoutMovedHome(context, record, boundary, served), command, served?.unsetEnv),
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
    stopIntentPath: stopIntentPathOf(context.layout, workerOfRecord(record, context.manifest)),
    ...(boundary === undefined ? {} : { boundary: served === undefined ? boundary.order : withoutLogins(boundary) }),
    ...served?.jobParts(command),
  };
}

/** Behind the gateway an agent needs no login, and would take the user's settings with it. */
function withoutLogins({ order }: LaunchedBoundary): LaunchedBoundary['order'] {
  const { privateHome } = order;
  return privateHome === null ? order : { ...order, privateHome: { ...privateHome, logins: [] } };
}

/** With a HOME of its own the agent's folder is there too, not where the user's variable says. */
function withoutMovedHome(
  { agentEnvironment }: DispatchContext,
  { provider }: DispatchRecord,
  boundary: LaunchedBoundary | undefined,
  served: ServedWorker | undefined,
): Readonly<Record<string, string>> {
  const { variable } = findProvider(provider).home;
  const hasOwnHome = served !== undefined || (boundary !== undefined && boundary.order.privateHome !== null);
  if (variable === null || !hasOwnHome) return agentEnvironment;
  return Object.fromEntries(Object.entries(agentEnvironment).filter(([name]) => name !== variable));
}

/** What the agent inherits, less what its provider must not see, plus what the provider sets. */
export function agentEnvironment(
  inherited: Readonly<Record<string, string>>,
  command: { readonly env: Readonly<Record<string, string>>; readonly unsetEnv: readonly string[] },
  unsetBesides: readonly string[] = [],
): Readonly<Record<string, string>> {
  const unset = [...command.unsetEnv, ...unsetBesides];
  const kept = Object.entries(inherited).filter(([name]) => !unset.includes(name));
  return { ...Object.fromEntries(kept), ...command.env };
}
