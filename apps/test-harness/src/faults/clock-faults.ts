import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { straceProblem } from '../crash/strace.ts';
import type { Subject } from '../crash/subject.ts';
import { startTraced } from '../crash/traced-command.ts';
import type { Fault } from './fault.ts';
import { endOf, ends, standing } from './steps.ts';

/**
 * Moves the wall clock of a process a day back, then three days ahead, while it runs; the monotonic one goes on as it does. What a
 * step of the system's clock is to a program, without taking the machine's clock along.
 */
const JUMPING_CLOCK = `const RealDate = Date;
const DAY_MS = 86400000;
const offsetMs = () => (performance.now() < 700 ? 0 : performance.now() < 1500 ? -DAY_MS : 3 * DAY_MS);
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs());
    else super(...args);
  }
  static now() {
    return RealDate.now() + offsetMs();
  }
};
`;

export const clockFaults: readonly Fault[] = [
  {
    name: 'a clock that jumps',
    outcome: 'limits go by the monotonic clock and no verdict by the wall clock: the attempt completes',
    project: {
      agents: { implementer: { as: 'slow', delayMs: 2_500 } },
      config: { limits: { hardMinutes: 2, idleMinutes: 1 } },
    },
    // The way to load a module into the supervisor is the one that traces it.
    obstacle: straceProblem,
    run: async (subject) => {
      await subject.restore();
      const running = await startTraced(subject, { preload: JUMPING_CLOCK });
      const ended = endOf(await running.ended);
      return [
        ...ends(ended, { exitCodes: [0] }),
        ...(await standing(subject, { status: 'completed' })),
        ...(await clockStood(subject)),
      ];
    },
  },
];

/** The events carry the wall clock: the last of them must be days ahead, or nothing has jumped. */
async function clockStood({ runDirectory }: Subject): Promise<readonly string[]> {
  const lines = (await readFile(join(runDirectory, 'lead-events.jsonl'), 'utf8')).trim().split('\n');
  const at = String(JSON.parse(lines.at(-1) ?? '{}').at);
  return Date.parse(at) > Date.now() + DAY_MS ? [] : [`the clock has not jumped: the last event is of ${at}`];
}

const DAY_MS = 86_400_000;
