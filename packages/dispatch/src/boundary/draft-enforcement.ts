import { lstat } from 'node:fs/promises';
import { type AgentProvider, findProvider } from '@bailiwick/agent-providers';
import { BoundaryGap, planEnforcement, type WriteEnforcement, type WritePolicy } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { isServed } from '../launch/model-server.ts';
import type { WorkerJob } from '../plan/job.ts';
import { type BoundaryPaths, type BoundaryQuestion, boundaryPathsOf, gitOf } from './boundary-paths.ts';
import { type LayerPlan, planLayer, wantsLayer } from './plan-layer.ts';
import type { BoundarySetting } from './setting.ts';

export interface EnforcementDraft {
  readonly job: WorkerJob;
  readonly policy: WritePolicy;
  /** Policies of the batch's other jobs, and of all that is alive. */
  readonly others: readonly WritePolicy[];
}

/**
 * What will hold a job, strongest first: bubblewrap where its self-test passes and the policy can be bound, else the
 * agent program's own sandbox, else the audit alone, with the reason (WP-5). Throws DispatchError BOUNDARY_UNAVAILABLE
 * where the config demands a boundary and there is none.
 */
export async function draftEnforcement(context: DispatchContext, draft: EnforcementDraft): Promise<WriteEnforcement> {
  const { boundary: setting } = context;
  if (setting === undefined) return auditOnly(draft);
  if (setting.mode === 'off') return ownSandbox(context, draft, 'switched off');
  const held = await boundaryOrReason(context, setting, draft);
  if (typeof held !== 'string') return confined(context, draft, held);
  if (setting.mode === 'auto') return ownSandbox(context, draft, held);
  throw new DispatchError('BOUNDARY_UNAVAILABLE', `${labelOf(draft)} can't be confined: ${held}`, {
    names: [labelOf(draft)],
    hint: '`bailiwick doctor` says what this machine can; with `boundary: auto` in the config it is audited only',
  });
}

/** A boundary that can be put in force, and what of a throw-away layer goes with it; undefined where none is due. */
interface HeldBy {
  readonly paths: BoundaryPaths;
  readonly layer: LayerPlan | undefined;
}

async function boundaryOrReason(
  context: DispatchContext,
  setting: BoundarySetting,
  { job, policy, others }: EnforcementDraft,
): Promise<HeldBy | string> {
  const test = await setting.test();
  if (test.kind === 'unavailable') return test.reason;
  const stranger = await ownedByStranger(policy.worktree);
  if (stranger) return `root in a user namespace can't write in ${policy.worktree}, which is another user's`;
  const provider = findProvider(job.roleExecution.provider);
  const question = { policy, others, provider, dropBoxPath: job.dropBoxPath };
  const layer = wantsLayer(policy) ? await planLayer(context, setting, { policy, program: test.program }) : undefined;
  const layered = layer?.kind === 'layer' ? await withLayer(context, setting, { ...question, layer }) : layer;
  if (layered?.kind === 'held') return layered;
  const paths = await boundaryPathsOf(context, setting, question);
  return paths.refusal ?? { paths, layer: layered };
}

/** A layer that can't be had as planned is none, and costs no worker its boundary. */
async function withLayer(
  context: DispatchContext,
  setting: BoundarySetting,
  question: BoundaryQuestion & { readonly layer: Extract<LayerPlan, { kind: 'layer' }> },
): Promise<(HeldBy & { readonly kind: 'held' }) | Extract<LayerPlan, { kind: 'none' }>> {
  const { layer } = question;
  const paths = await boundaryPathsOf(context, setting, question);
  if (paths.refusal !== null) return { kind: 'none', reason: paths.refusal };
  const missing = layer.ignoredFolders.filter((path) => paths.leftOut.includes(path));
  if (missing.length === 0) return { kind: 'held', paths, layer };
  return { kind: 'none', reason: `a copy has no mounts left for ${missing.length} ignored folders` };
}

/** A user namespace maps one user alone. */
async function ownedByStranger(path: string): Promise<boolean> {
  const own = process.getuid?.();
  return own === 0 && (await lstat(path)).uid !== own;
}

/** bubblewrap holds any runner from outside, whatever the runner's own sandbox can do; what doesn't say anything is refused (WP-6). */
function confined(
  context: DispatchContext,
  { job, policy, others }: EnforcementDraft,
  { paths, layer }: HeldBy,
): WriteEnforcement {
  const plan = planEnforcement({
    policy,
    // The supervisor has the key, and from a process namespace of its own nobody looks into it.
    keyIsolation: isServed(context, job.roleExecution.provider) ? 'gateway' : 'none',
    capability: capabilityOf(job) === null ? null : { maxBoundaryPrecision: 'file' },
    boundary: 'bubblewrap',
    boundaryPrecision: 'file',
    others,
    ...(paths.git === undefined ? {} : { git: paths.git }),
    ...(layer?.kind === 'layer' ? { layer: layer.layer } : {}),
  });
  if (plan.boundary === 'none') return { ...plan, boundaryReason: 'the policy asks for none' };
  const wider = [...new Set([...plan.wider, ...paths.wider, ...paths.leftOut])].sort();
  const unheld = gapsOf(
    policy,
    paths,
    layer?.kind === 'layer' && paths.writable.every((path) => path === job.dropBoxPath),
  );
  return { ...plan, wider, unheld, ...(layer?.kind === 'none' ? { layerReason: layer.reason } : {}) };
}

/** A worker that has a layer and nothing but its own empty drop box besides can neither make nor find anything there. */
function gapsOf(policy: WritePolicy, paths: BoundaryPaths, hasOnlyLayer: boolean): readonly BoundaryGap[] {
  return [
    ...(hasOnlyLayer ? [] : [BoundaryGap.absentFiles, BoundaryGap.hardLinks]),
    BoundaryGap.unixSockets,
    ...(policy.git === 'commit' ? [BoundaryGap.gitCommit] : []),
    ...(paths.leftOut.length > 0 ? [BoundaryGap.tooManyMounts] : []),
  ];
}

/** The program's own sandbox counts only for the program that it was seen with. */
async function ownSandbox(
  context: DispatchContext,
  { job, policy, others }: EnforcementDraft,
  boundaryReason: string,
): Promise<WriteEnforcement> {
  const provider = findProvider(job.roleExecution.provider);
  if (!hasOwnSandbox(provider) || context.commands[provider.id] !== undefined)
    return { ...auditOnly({ job, policy, others }), boundaryReason };
  const boundaryPrecision = provider.writeCapability.maxBoundaryPrecision;
  const git = await gitOf(context, policy);
  const plan = planEnforcement({
    policy,
    others,
    capability: capabilityOf(job),
    boundary: 'provider',
    boundaryPrecision,
    ...(git === undefined ? {} : { git }),
  });
  return { ...plan, boundaryReason };
}

function auditOnly({ job, policy, others }: EnforcementDraft): WriteEnforcement {
  const capability = capabilityOf(job);
  return planEnforcement({ policy, others, capability, boundary: 'none', boundaryPrecision: 'none' });
}

function hasOwnSandbox({ writeCapability }: AgentProvider): boolean {
  return writeCapability.ownSandbox && writeCapability.ownSandboxByDefault;
}

function capabilityOf(job: WorkerJob) {
  return job.roleExecution.binding?.workerWriteCapability ?? null;
}

function labelOf({ job }: EnforcementDraft): string {
  return job.metadata.executionLabel;
}
