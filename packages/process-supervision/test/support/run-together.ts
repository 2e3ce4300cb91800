import type { SupervisedJob } from '@bailiwick/dispatch-state';
import { launchSupervisor, type Supervisor } from './launch.ts';
import { makeTestRun, type TestRun } from './test-run.ts';

/** How to start one agent: its command line, and what its job has besides. */
export type Agent = readonly [argv: readonly string[], changes?: Partial<SupervisedJob>];

/** A batch whose agents have all ended. */
export interface EndedBatch<K extends string> {
  readonly run: TestRun;
  readonly jobs: Readonly<Record<K, SupervisedJob>>;
  readonly supervisor: Supervisor;
}

/** Runs agents side by side under one supervisor, to its end: a supervisor for each costs more than what they do. */
export async function runTogether<K extends string>(agents: Readonly<Record<K, Agent>>): Promise<EndedBatch<K>> {
  const run = await makeTestRun();
  const made: [string, SupervisedJob][] = [];
  for (const [name, [argv, changes]] of Object.entries<Agent>(agents)) made.push([name, await run.job(argv, changes)]);
  const supervisor = launchSupervisor(run.order(made.map(([, job]) => job)));
  await supervisor.ended;
  // One job was made for each key.
  return { run, jobs: Object.fromEntries(made) as Record<K, SupervisedJob>, supervisor };
}
