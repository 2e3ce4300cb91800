import { makeSubject, type Subject } from '../crash/subject.ts';
import { endLeftovers } from '../crash/supervisors.ts';
import { findSupervisors } from '../project/process-table.ts';
import type { Fault, FaultResult } from './fault.ts';
import { FAULTS } from './fault-table.ts';

/** `faults [PART OF A NAME…]`: tries every fault, or those that are meant, prints the results as JSON and gives the exit code. */
export async function faults(args: readonly string[]): Promise<number> {
  const results = await runFaults(
    args.filter((arg) => arg !== '--json'),
    tell,
  );
  process.stdout.write(`${JSON.stringify(results)}\n`);
  const tried = results.filter(({ skipped }) => skipped === null);
  return tried.length > 0 && tried.every(({ holds }) => holds) ? 0 : 1;
}

/** Tries faults one after another: those whose names hold one of `parts`, all where there are none. */
export async function runFaults(
  parts: readonly string[],
  onResult: (result: FaultResult) => void = () => undefined,
): Promise<readonly FaultResult[]> {
  const meant = FAULTS.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  const results: FaultResult[] = [];
  for (const fault of meant) {
    const result = await tryFault(fault);
    onResult(result);
    results.push(result);
  }
  return results;
}

/** One fault, through the built command line, in a repository of its own. */
async function tryFault(fault: Fault): Promise<FaultResult> {
  const { name, outcome } = fault;
  const obstacle = await fault.obstacle?.();
  if (obstacle !== undefined) return { fault: name, outcome, holds: false, why: [], skipped: obstacle };
  const subject = await makeSubject(name, fault.project);
  try {
    const why = await fault.run(subject).catch((error: unknown) => [`it broke off: ${String(error)}`]);
    return { fault: name, outcome, holds: why.length === 0, why, skipped: null };
  } finally {
    await endAndRemove(subject);
  }
}

async function endAndRemove(subject: Subject): Promise<void> {
  const supervisors = await findSupervisors(subject.project.root);
  await endLeftovers(
    subject.runId,
    supervisors.map(({ pid }) => pid),
  );
  await subject.remove();
}

function tell({ fault, holds, why, skipped }: FaultResult): void {
  const mark = skipped !== null ? '–' : holds ? '✓' : '✗';
  process.stderr.write(`${[`${mark} ${fault}${skipped === null ? '' : `: ${skipped}`}`, ...why].join('\n    ')}\n`);
}
