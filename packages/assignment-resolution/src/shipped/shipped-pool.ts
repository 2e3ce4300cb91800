import { HOST_IDS } from '../hosts.ts';
import { Runner } from '../model.ts';
import { type AgentModel, type AgentModels, agentModels } from './agent-models.ts';

/** The rows that come with this package, in full form, for every host; give them to `createModelPool` or `mergePool`. */
export function shippedModelPool(): readonly unknown[] {
  return agentModels().flatMap((agent) => agent.models.map((model) => rowOf(agent, model)));
}

function rowOf(agent: AgentModels, model: AgentModel): unknown {
  const { providerId, maxBoundaryPrecision, nativeHostId } = agent;
  return {
    modelRef: `${providerId}/${model.refName ?? refNameOf(model)}`,
    providerId,
    modelId: model.id,
    versionKind: model.versionKind,
    channelFamily: model.channelFamily,
    aliases: model.aliases ?? [],
    bindings: HOST_IDS.map((hostId) => ({
      hostId,
      runner: Runner.cliWrapper,
      resolvedExecutionValue: model.executionValue,
      hostModelValue: hostId === nativeHostId ? (model.nativeName ?? model.id) : null,
      workerWriteCapability: { maxBoundaryPrecision },
    })),
  };
}

/** `gpt-5.5-2026-04-23` → `gpt-5.5@2026-04-23` */
function refNameOf(model: AgentModel): string {
  const { id, snapshot } = model;
  return snapshot === undefined ? id : `${id.slice(0, -snapshot.length - 1)}@${snapshot}`;
}
