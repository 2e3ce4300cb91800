import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { editExtraFile } from './edit-extra-file.ts';
import { begin } from './work.ts';

/** Works, edits one file more, and keeps silent about it. */
export async function stray(agent: Agent): Promise<number> {
  await begin(agent);
  const report = await perform(agent);
  await editExtraFile(agent);
  return conclude(agent, report);
}
