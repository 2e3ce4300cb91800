import type { PathName } from '../model.ts';
import { runAuditTask } from '../thread/audit-task.ts';
import { type AlteredInLayer, type LayerPlace, MAX_NAMED } from './altered-task.ts';

/** Which layer, over which tree. */
export interface LayerOptions {
  readonly worktree: string;
  readonly layer: LayerPlace;
  /** Absolute paths that aren't seen through the layer, or are no source. */
  readonly exclude?: readonly string[];
  /** Says which of these absolute paths are there as the mounted layer shows the tree. Asked of an overlay alone. */
  readonly ask: (paths: readonly string[]) => Promise<readonly boolean[]>;
  readonly signal?: AbortSignal;
}

/** What was altered in a throw-away layer, of the source that the tree has. */
export interface AlteredSource {
  /** Relative to the work tree; the first fifty. */
  readonly paths: readonly PathName[];
  readonly count: number;
  /** Why this isn't known of all source; null where it is. */
  readonly problem: string | null;
}

/**
 * The files of a tree's source (tracked or not ignored) that a layer over it shows with other content, type or executable bit, or no
 * more (ST-8). What was made anew there is none of it. Nothing may write in tree or layer meanwhile.
 *
 * Throws MutationAuditError SNAPSHOT_ROOT_INVALID, SNAPSHOT_ROOT_BARE; or `signal.reason`.
 */
export async function findAltered(options: LayerOptions): Promise<AlteredSource> {
  const { worktree, layer, exclude = [], signal, ask } = options;
  const { found } = await runAuditTask({ kind: 'altered', worktree, exclude, layer }, { signal });
  const { doubts, altered, problem } = found;
  const answered = await answersTo(doubts, ask);
  const gone = answered.filter(({ isThere }) => isThere === false).map(({ doubt }) => doubt);
  const isUnknown = answered.some(({ isThere }) => isThere === undefined);
  return {
    paths: [...altered.paths, ...gone.flatMap(({ paths }) => paths)].slice(0, MAX_NAMED),
    count: gone.reduce((sum, { count }) => sum + count, altered.count),
    problem: problem ?? (isUnknown ? 'whether a folder was made anew could not be found out' : null),
  };
}

type Doubt = AlteredInLayer['doubts'][number];

async function answersTo(
  doubts: readonly Doubt[],
  ask: LayerOptions['ask'],
): Promise<readonly { readonly doubt: Doubt; readonly isThere: boolean | undefined }[]> {
  const probes = doubts.flatMap(({ probe }) => (probe === null ? [] : [probe]));
  const answers = probes.length === 0 ? [] : await ask(probes);
  const isThere = new Map(probes.map((probe, at) => [probe, answers[at]]));
  return doubts.map((doubt) => ({ doubt, isThere: doubt.probe === null ? undefined : isThere.get(doubt.probe) }));
}
