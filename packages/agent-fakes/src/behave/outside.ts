import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

/** Works, and writes beside its working folder as well. A refused write is told and changes nothing else. */
export async function outside(agent: Agent): Promise<number> {
  await begin(agent);
  const report = await perform(agent);
  const target = path.join(agent.cwd, '..', 'written-outside.txt');
  const refusal = await writeFile(target, 'outside\n').then(
    () => undefined,
    (error: unknown) => String(error),
  );
  await agent.tell(
    refusal === undefined
      ? { kind: 'edited', path: target, change: 'add' }
      : { kind: 'ran', command: `write ${target}`, output: refusal, exitCode: 1 },
  );
  return conclude(agent, report);
}
