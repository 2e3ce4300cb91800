#!/usr/bin/env node
import { agents } from './agents/agents.ts';
import { conformance } from './conformance/conformance.ts';
import { launchOrder } from './conformance/launch-order.ts';
import { crash } from './crash/crash.ts';
import { demo } from './demo/demo.ts';
import { faults } from './faults/run-faults.ts';
import { panes } from './panes/panes.ts';
import { races } from './races/races.ts';
import { scenarios } from './scenarios/run-scenarios.ts';

/** What the harness can do, by name. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  agents,
  conformance,
  crash,
  demo,
  faults,
  'launch-order': launchOrder,
  panes,
  races,
  scenarios,
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) {
  process.stderr.write(
    `usage: bailiwick-harness ${Object.keys(COMMANDS)
      .filter((word) => word !== 'launch-order')
      .join('|')}\n`,
  );
  process.exitCode = 2;
} else process.exitCode = await command(args);
