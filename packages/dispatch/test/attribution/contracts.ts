import { join } from 'node:path';
import type { JobContract } from '@bailiwick/mutation-audit';
import {
  buildWritePolicy,
  checkCompatibleBatch,
  dropBoxPath,
  makeContract,
  orchestratorPaths,
  pathsToResolve,
  planEnforcement,
  type WritePolicy,
  type WritePolicyRequest,
} from '@bailiwick/write-policy';
import type { Schedule, Writer } from './schedule.ts';

/** The places of a scene, each without a link on its way. */
export interface Places {
  readonly root: string;
  readonly stateRoot: string;
}

/** The orchestrator's own paths in a scene. */
export function orchestratorOf({ root, stateRoot }: Places): readonly string[] {
  return orchestratorPaths({ stateRoot, projectRoot: root, worktree: root });
}

/** The drop box of the writer at this place of its schedule. */
export function boxOf({ root }: Places, at: number): string {
  return dropBoxPath({ projectRoot: root, invocationRef: `inv-${at}` });
}

/** The contracts that the writers of a schedule would be launched under: compatible, as every batch is. */
export function contractsOf(places: Places, schedule: Schedule, hasOverlay: boolean): readonly JobContract[] {
  const policies = schedule.map((writer, at) => policyOf(places, schedule, { writer, at }));
  const jobs = schedule.map((writer, at): JobContract => {
    const policy = policies[at] ?? policyOf(places, schedule, { writer, at });
    const isLayered = hasOverlay && writer.isConfined && writer.isLayered && writer.role !== 'implementer';
    const enforcement = planEnforcement({
      policy,
      capability: { maxBoundaryPrecision: 'file' },
      boundary: writer.isConfined ? 'bubblewrap' : 'none',
      boundaryPrecision: writer.isConfined ? 'file' : 'none',
      others: policies.filter((_, other) => other !== at),
      ...(isLayered ? { layer: 'overlay' } : {}),
    });
    return { dispatchId: `inv-${at}~1:attempt-1`, label: `writer ${at}`, contract: makeContract(policy, enforcement) };
  });
  checkCompatibleBatch(jobs.map(({ label, contract }) => ({ dispatchLabel: label, contract })));
  return jobs;
}

function policyOf(
  places: Places,
  schedule: Schedule,
  { writer, at }: { readonly writer: Writer; readonly at: number },
): WritePolicy {
  const { root } = places;
  const dropBox = boxOf(places, at);
  const request: WritePolicyRequest = {
    role: writer.role,
    projectRoot: root,
    dropBox,
    artifactPaths: [join(dropBox, 'result.json')],
    plannedPaths: writer.role === 'implementer' ? planOf(schedule, { writer, at }) : [],
    ignored: writer.ignored,
    orchestrator: orchestratorOf(places),
  };
  const realPathOf = new Map(pathsToResolve(request).map((path) => [path, path]));
  return buildWritePolicy({ ...request, facts: { realPathOf } });
}

/** Two that may change source never plan the same. */
function planOf(schedule: Schedule, { writer, at }: { readonly writer: Writer; readonly at: number }): string[] {
  const isAlone = schedule.filter(({ role }) => role === 'implementer').length === 1;
  if (writer.plan === 'tree' && isAlone) return [];
  return [writer.plan === 'pattern' ? `d${at}/**/*.txt` : `d${at}`];
}
