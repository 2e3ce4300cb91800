import path from 'node:path';
import type { Agent } from '../agent.ts';
import type { Candidate } from '../repair/candidates.ts';
import { type RepairOutcome, repair } from '../repair/repair.ts';
import { readTestCommand, runTest, TEST_TIMEOUT_MS, type TestOutcome } from '../run-test.ts';
import { resultJson, type WorkReport } from './work-report.ts';

/** How much of a test run's output goes into the stream, in characters. */
export const TOLD_OUTPUT_CHARACTERS = 4000;

/** Makes the project's test pass, if one small edit can: runs it, and looks for the bug where it fails. */
export async function implement(agent: Agent): Promise<WorkReport> {
  const command = await readTestCommand(agent.cwd);
  if (command === undefined)
    return reportOf(true, 'The project has no test command, so there is nothing to repair by.', []);
  await agent.tell({ kind: 'said', text: `I will run the test, \`${command}\`, to see what is wrong.` });
  const failure = await runTest({ ...agent, command, timeoutMs: TEST_TIMEOUT_MS });
  await tellRun(agent, failure);
  if (failure.exitCode === 0) return reportOf(true, `\`${command}\` passes already; nothing was changed.`, []);
  await agent.tell({ kind: 'said', text: 'It fails. I will look for the cause in what the failing test uses.' });
  const onTry = (candidate: Candidate, outcome: TestOutcome) => tellTry(agent, candidate, outcome);
  const outcome = await repair({ ...agent, command, failure, onTry });
  return outcome.kind === 'repaired' ? repaired(agent, outcome) : givenUp(command, outcome);
}

async function repaired(agent: Agent, outcome: Extract<RepairOutcome, { kind: 'repaired' }>): Promise<WorkReport> {
  const { change, proof, tries } = outcome;
  await agent.tell({ kind: 'edited', path: change.file, change: 'update' });
  await tellRun(agent, proof);
  const [before, after] = [change.source, change.mutated].map(
    (text) => text.split('\n')[change.line - 1]?.trim() ?? '',
  );
  const place = `${path.relative(agent.cwd, change.file)}:${change.line}`;
  const summary = `Repaired ${place}: \`${before}\` is now \`${after}\`. \`${proof.command}\` passes.`;
  return reportOf(true, summary, [`Edits tried: ${tries}`, `\`${proof.command}\` exited with ${proof.exitCode}`]);
}

function givenUp(command: string, outcome: Extract<RepairOutcome, { kind: 'given-up' }>): WorkReport {
  const where = outcome.suspects.length === 0 ? 'any source file' : outcome.suspects.join(', ');
  const summary = `No fix found: \`${command}\` still fails after ${outcome.tries} single edits to ${where}, all taken back.`;
  return reportOf(false, summary, []);
}

async function tellTry(agent: Agent, candidate: Candidate, outcome: TestOutcome): Promise<void> {
  const after = candidate.mutated.split('\n')[candidate.line - 1]?.trim() ?? '';
  const place = `${path.relative(agent.cwd, candidate.file)}:${candidate.line}`;
  await agent.tell({ kind: 'said', text: `Trying ${place}: \`${after}\`` });
  const output = outcome.exitCode === 0 ? 'it passes' : 'it still fails';
  await agent.tell({ kind: 'ran', command: outcome.command, output, exitCode: outcome.exitCode });
}

function tellRun(agent: Agent, outcome: TestOutcome): Promise<void> {
  const output = outcome.output.slice(-TOLD_OUTPUT_CHARACTERS);
  return agent.tell({ kind: 'ran', command: outcome.command, output, exitCode: outcome.exitCode });
}

function reportOf(isDone: boolean, summary: string, notes: readonly string[]): WorkReport {
  return {
    isDone,
    summary,
    notes,
    resultText: (outOfPlanEdits) => resultJson({ implementation: { summary, outOfPlanEdits } }),
  };
}
