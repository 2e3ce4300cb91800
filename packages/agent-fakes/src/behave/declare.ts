import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { editExtraFile } from './edit-extra-file.ts';
import { begin } from './work.ts';

/** Works, edits one file more, and says so in the result. */
export async function declare(agent: Agent): Promise<number> {
  await begin(agent);
  const report = await perform(agent);
  const file = await editExtraFile(agent);
  return conclude(agent, report, [{ file, reason: 'a note on what was done' }]);
}
