import { join } from 'node:path';
import { type AgentCommand, type AgentProvider, findProvider, type ModelEndpoint } from '@bailiwick/agent-providers';
import type { DispatchRecord, ModelRuleOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import type { WorkerJob } from '../plan/job.ts';

/** The model server that a provider's workers are to use, behind a gateway that their supervisor hosts. */
export interface ModelServerSetting {
  /** Its root, without `/v1` and without a trailing slash. */
  readonly url: string;
  /** The variable that holds its key; null where it wants none. The agent gets neither. */
  readonly keyVariable: string | null;
  /** Which models its workers may ask for, by the names that stand in requests; absent: any. */
  readonly models?: ModelRuleOrder;
}

/** A worker that talks to its model through the gateway. */
export interface ServedWorker {
  readonly endpoint: ModelEndpoint;
  /** Variables that would tell the agent the real key. */
  readonly unsetEnv: readonly string[];
  /** What the supervisor is told besides. */
  jobParts(command: Pick<AgentCommand, 'homeFiles'>): Pick<SupervisedJob, 'gateway' | 'ownHome'>;
}

/** Stands for the gateway's address, which is known once its supervisor listens. */
const PLACEHOLDER = 'http://model-gateway.invalid';
/** What an agent has for a key: something, since most refuse to start without. */
const NO_KEY = 'held-by-the-gateway';

/** How a worker reaches its model where the config names a server for its provider; undefined where it doesn't. */
export function servedWorker(
  context: DispatchContext,
  record: Pick<DispatchRecord, 'provider' | 'dispatchId'>,
): ServedWorker | undefined {
  const setting = context.modelServers?.[record.provider];
  if (setting === undefined) return undefined;
  const provider = findProvider(record.provider);
  const gateway = {
    format: formatOf(provider),
    upstream: setting.url,
    key: keyOf(context, provider, setting),
    placeholder: PLACEHOLDER,
    ...(setting.models === undefined ? {} : { models: setting.models }),
  };
  return {
    endpoint: { url: PLACEHOLDER, apiKey: NO_KEY },
    unsetEnv: setting.keyVariable === null ? [] : [setting.keyVariable],
    jobParts: ({ homeFiles = [] }) => ({ gateway, ownHome: ownHomeOf(context, record, homeFiles) }),
  };
}

/**
 * Refuses, before anything is written, a job whose model server can't be used.
 *
 * @throws DispatchError MODEL_SERVER_UNSUPPORTED, MODEL_KEY_MISSING
 */
export function checkModelServers(context: DispatchContext, jobs: readonly Pick<WorkerJob, 'roleExecution'>[]): void {
  for (const { roleExecution } of jobs) {
    const setting = context.modelServers?.[roleExecution.provider];
    if (setting === undefined) continue;
    const provider = findProvider(roleExecution.provider);
    formatOf(provider);
    keyOf(context, provider, setting);
  }
}

/** True where the provider's turns are seen on the wire. */
export function isServed(context: DispatchContext, providerId: string): boolean {
  return context.modelServers?.[providerId] !== undefined;
}

function formatOf({ id, endpoint }: AgentProvider) {
  if (endpoint !== null) return endpoint.dialect;
  throw new DispatchError('MODEL_SERVER_UNSUPPORTED', `${id} can't be pointed at a model server of one's own`, {
    names: [id],
    hint: `take agents.${id}.modelServer out of the config`,
  });
}

function keyOf(context: DispatchContext, { id }: AgentProvider, { keyVariable }: ModelServerSetting): string | null {
  if (keyVariable === null) return null;
  const key = context.agentEnvironment[keyVariable];
  if (key !== undefined && key !== '') return key;
  throw new DispatchError('MODEL_KEY_MISSING', `the key of ${id}'s model server is not in the environment`, {
    names: [keyVariable],
    hint: `set ${keyVariable}, or correct agents.${id}.modelServer.keyVariable in the config`,
  });
}

/** A HOME of its own, whatever the boundary: the user's settings there would lead to other servers. */
function ownHomeOf(
  context: DispatchContext,
  { dispatchId }: Pick<DispatchRecord, 'dispatchId'>,
  homeFiles: NonNullable<AgentCommand['homeFiles']>,
): NonNullable<SupervisedJob['ownHome']> {
  const { layout, agentEnvironment, boundary } = context;
  // Short, since programs make sockets below their temporary folder, and a socket's path has 107 bytes.
  const name = digestOfBytes(`${layout.runId}\0${dispatchId}\0home`).slice(-16);
  return {
    folder: join(boundary?.attemptsFolder ?? join(layout.runDirectory, 'homes'), name),
    userHome: agentEnvironment['HOME'] ?? layout.runDirectory,
    files: homeFiles.map(({ path, text }) => ({ below: path, text })),
  };
}
