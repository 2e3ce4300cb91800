import type { LayerOrder } from '@bailiwick/dispatch-state';
import { inLayer } from './layer-test.ts';
import { removeStubbornly } from './remove-stubbornly.ts';
import { runBriefly } from './run-briefly.ts';

/** Arguments of one command: far below what Linux takes for paths of usual length. */
const MAX_PATHS = 200;

/**
 * Which of these absolute paths of the work tree are there as the layer shows it. Only the file system itself knows of a
 * folder in an overlay whether it was made anew, so that what the tree has in it isn't there any more. Nothing may live
 * in the layer. Rejects where it can't be laid over the tree again.
 */
export async function askLayer(
  program: string,
  layer: LayerOrder,
  paths: readonly string[],
): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  for (let from = 0; from < paths.length; from += MAX_PATHS) {
    const asked = paths.slice(from, from + MAX_PATHS);
    const { output, said } = await runBriefly([...inLayer(program, layer), '/bin/sh', '-c', SCRIPT, 'sh', ...asked]);
    if (output.length !== asked.length) throw new Error(`the layer over ${layer.worktree} can't be read: ${said}`);
    answers.push(...Array.from(output, (answer) => answer === 'y'));
  }
  return answers;
}

const SCRIPT = 'for path in "$@"; do if test -e "$path" || test -L "$path"; then printf y; else printf n; fi; done';

/** Throws a layer away, with all that was written in it. */
export async function removeLayer({ folder }: Pick<LayerOrder, 'folder'>): Promise<void> {
  await removeStubbornly(folder);
}
