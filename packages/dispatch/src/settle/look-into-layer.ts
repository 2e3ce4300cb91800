import { join } from 'node:path';
import type { DispatchRecord, LayerOutcome, ResultOutcome } from '@bailiwick/dispatch-state';
import { isFolder } from '@bailiwick/durable-files';
import { type AlteredSource, displayPath, findAltered, type LayerPlace } from '@bailiwick/mutation-audit';
import { askLayer, LayerFolder, removeLayer } from '@bailiwick/process-supervision';
import { layerFolderOfAttempt, pathsBesideLayer } from '../boundary/layer-places.ts';
import type { BoundarySetting } from '../boundary/setting.ts';
import { copyMadeAtNs } from '../boundary/throw-away-copy.ts';
import type { DispatchContext } from '../context.ts';
import { storedContract } from '../contract/stored-contract.ts';

/**
 * What an attempt did to source in its throw-away layer, before that is thrown away; undefined where it had none. A
 * verifier's word on source that it altered is of no source that anybody has (ST-8). Never throws: what can't be found
 * out is said. Nothing of the attempt lives any more.
 */
export async function lookIntoLayer(
  context: DispatchContext,
  record: DispatchRecord,
  wasStarted: boolean,
): Promise<LayerOutcome | undefined> {
  if (record.writeEnforcement.layer === undefined || !wasStarted) return undefined;
  try {
    const { paths, count, problem } = await alteredIn(context, record);
    return { altered: paths.map(displayPath), alteredCount: count, problem };
  } catch (error) {
    return { altered: [], alteredCount: 0, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Throws the layer of a settled attempt away. Safe to repeat. */
export async function throwLayerAway({ boundary }: DispatchContext, record: DispatchRecord): Promise<void> {
  if (boundary === undefined || record.writeEnforcement.layer === undefined) return;
  await removeLayer({ folder: layerFolderOfAttempt(boundary.attemptsFolder, record) });
}

/** A verdict, where it is of the tree's own source. */
export function verdictOfTree(
  layer: LayerOutcome | undefined,
  verdict: ResultOutcome['verdict'],
): ResultOutcome['verdict'] {
  return layer === undefined || layer.alteredCount === 0 ? verdict : null;
}

/** What a person has to know of a verdict that came out of a layer; empty where there is nothing to say. */
export function layerNoteOf(layer: LayerOutcome | undefined, verdict: ResultOutcome['verdict']): string {
  if (layer === undefined || verdict === null) return '';
  const { altered, alteredCount, problem } = layer;
  if (alteredCount === 0)
    return problem === null ? '' : `what it altered in its throw-away layer is not known: ${problem}`;
  const more = alteredCount > altered.length ? ` and ${alteredCount - altered.length} more` : '';
  return `its verdict "${verdict}" is void: it is of source that was altered in its throw-away layer (${altered.join(', ')}${more})`;
}

async function alteredIn(context: DispatchContext, record: DispatchRecord): Promise<AlteredSource> {
  const { boundary } = context;
  if (boundary === undefined) throw new Error('boundaries are switched off, so that the layer was not looked for');
  const folder = layerFolderOfAttempt(boundary.attemptsFolder, record);
  const { policy } = await storedContract(context, record.invocationRef);
  return findAltered({
    worktree: policy.worktree,
    layer: await placeOf(folder, record),
    exclude: pathsBesideLayer(context, policy),
    ask: (paths) => askMounted(boundary, { worktree: policy.worktree, folder }, paths),
  });
}

async function placeOf(folder: string, { writeEnforcement }: DispatchRecord): Promise<LayerPlace> {
  const isCopy = writeEnforcement.layer === 'copy';
  const held = join(folder, isCopy ? LayerFolder.copy : LayerFolder.upper);
  const madeAtNs = isCopy ? await copyMadeAtNs(folder) : 0n;
  if (madeAtNs === undefined || !(await isFolder(held))) throw new Error('its layer is gone');
  return isCopy ? { kind: 'copy', folder: held, madeAtNs } : { kind: 'overlay', folder: held };
}

async function askMounted(
  setting: BoundarySetting,
  place: { readonly worktree: string; readonly folder: string },
  paths: readonly string[],
): Promise<readonly boolean[]> {
  const test = await setting.test();
  if (test.kind === 'unavailable') throw new Error(test.reason);
  const { program } = test;
  const layer = await setting.testLayer({ program, worktree: place.worktree });
  if (layer.kind === 'unavailable') throw new Error(layer.reason);
  return askLayer(program, { ...place, means: layer.means }, paths);
}
