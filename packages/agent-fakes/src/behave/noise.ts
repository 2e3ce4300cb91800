import type { Agent } from '../agent.ts';
import { conclude } from '../roles/conclude.ts';
import { perform } from '../roles/perform.ts';
import { begin } from './work.ts';

const HUGE_LINE_BYTES = 5_000_000;

/** Works, with all that is no event between its events; the last of it ends without a line feed of its own. */
export async function noise(agent: Agent): Promise<number> {
  await begin(agent);
  await agent.print(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0a]));
  await agent.print('Warning: this is prose, not JSON\r\n\n{"type":"cut in the mid\n');
  await agent.print(
    'null\n42\n"text"\n[1,2,3]\n{}\n{"type":7}\n{"type":"never.heard.of","nested":{"type":"result"}}\n',
  );
  await agent.print(`${'x'.repeat(HUGE_LINE_BYTES)}\n`);
  await agent.print(`${JSON.stringify({ type: 'never.heard.of', text: 'é'.repeat(HUGE_LINE_BYTES / 2) })}\n`);
  const report = await perform(agent);
  await agent.print(Buffer.from([0x80, 0x81, 0x0a]));
  const exitCode = await conclude(agent, report);
  await agent.print('bye');
  return exitCode;
}
