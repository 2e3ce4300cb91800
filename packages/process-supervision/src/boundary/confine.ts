import { delimiter, isAbsolute } from 'node:path';
import type { BoundaryOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { isFolder } from '@bailiwick/durable-files';
import { makeOwnHome, writeHomeFiles } from '../home/own-home.ts';
import { confinedEnvironment } from './agent-environment.ts';
import { type BwrapRequest, bwrapArguments, ownIds } from './bwrap-arguments.ts';
import { makeLayerFolders, makePlacesInCopy } from './layer-places.ts';
import { lookAtPaths } from './path-facts.ts';
import { type MountRequest, pathsToLookAt, planMounts } from './plan-mounts.ts';
import { makePrivatePlaces, type NeededPaths } from './private-places.ts';

/** Where bubblewrap tells what became of the boundary; the gate has 3. */
export const STATUS_FD = 4;

/** Where bubblewrap notes its namespaces, in a file; the gate opens it. */
const NOTE_FD = 5;

/** The descriptors that bubblewrap is to tell things on, which must be open. */
type ToldOn = Pick<BwrapRequest, 'statusFd' | 'noteFd'>;

const WATCHED: ToldOn = { statusFd: STATUS_FD, noteFd: NOTE_FD };

/** What of a job decides how it is started. */
export type StartedJob = Pick<
  SupervisedJob,
  'argv' | 'env' | 'cwd' | 'promptPath' | 'dropBoxPath' | 'boundary' | 'ownHome'
>;

/** How a job is started: its own command, or bubblewrap's around it. */
export interface JobCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly isConfined: boolean;
}

/**
 * The command of a job, in its boundary where its order asks for one. Looks at every destination now, as close to the
 * start as can be, and throws with a reason for a person where the boundary can't be put in force as ordered (WP-5).
 */
export async function commandOf(job: StartedJob, told: ToldOn = WATCHED): Promise<JobCommand> {
  const { boundary: order, argv, env, ownHome } = job;
  if (order === undefined) {
    return { argv, env: ownHome === undefined ? env : await makeOwnHome(ownHome, env), isConfined: false };
  }
  const request = mountRequestOf(order);
  const facts = await lookAtPaths(pathsToLookAt(request));
  const plan = planMounts(request, facts);
  if (plan.kind === 'refused') throw new Error(`the boundary can't be put in force: ${plan.reason}`);
  const places = await makePrivatePlaces(order, neededBy(job, order));
  if (ownHome !== undefined && places.home !== undefined) await writeHomeFiles(places.home, ownHome.files);
  if (order.layer !== undefined) {
    await makeLayerFolders(order.layer);
    await makePlacesInCopy(order.layer, plan.mounts, facts);
  }
  const laidOver = places.binds.map(({ destination }) => destination);
  const prefix = bwrapArguments({
    program: order.program,
    mounts: plan.mounts,
    extraBinds: places.binds,
    hidden: await hiddenNow(order, laidOver),
    ...told,
    ...ownIds(),
    ...(order.layer === undefined ? {} : { layer: order.layer }),
  });
  return {
    argv: [...prefix, ...argv],
    env: await confinedEnvironment(env, order.privateHome, places),
    isConfined: true,
  };
}

function mountRequestOf({ writable, readOnly, layer }: BoundaryOrder): MountRequest {
  return { writable, readOnly, ...(layer === undefined ? {} : { layer: layer.worktree }) };
}

function neededBy(job: StartedJob, order: BoundaryOrder): NeededPaths {
  const arguments_ = job.argv.filter(isAbsolute);
  return {
    paths: [
      job.cwd,
      job.promptPath,
      job.dropBoxPath,
      order.program,
      ...(order.layer === undefined ? [] : [order.layer.worktree]),
      ...order.writable,
      ...order.readOnly,
      ...arguments_,
    ],
    searchPath: (job.env['PATH'] ?? '').split(delimiter).filter(isAbsolute),
  };
}

/** Folders that are there, and that nothing else is laid over. */
async function hiddenNow({ hidden }: BoundaryOrder, laidOver: readonly string[]): Promise<readonly string[]> {
  const open = hidden.filter((folder) => !laidOver.some((place) => folder.startsWith(`${place}/`)));
  const found = await Promise.all(open.map(async (folder) => ((await isFolder(folder)) ? [folder] : [])));
  return found.flat();
}
