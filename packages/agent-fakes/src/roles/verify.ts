import type { Agent } from '../agent.ts';
import { readTestCommand, runTest, TEST_TIMEOUT_MS } from '../run-test.ts';
import { TOLD_OUTPUT_CHARACTERS } from './implement.ts';
import { resultJson, type WorkReport } from './work-report.ts';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly exitCode: number;
}

/** Runs the project's test itself and judges by its exit code alone. */
export async function verify(agent: Agent): Promise<WorkReport> {
  const command = await readTestCommand(agent.cwd);
  if (command === undefined)
    return reportOf('fail', 'The project has no test command, so nothing could be verified.', []);
  await agent.tell({ kind: 'said', text: `I will run \`${command}\` myself.` });
  const outcome = await runTest({ ...agent, command, timeoutMs: TEST_TIMEOUT_MS });
  const output = outcome.output.slice(-TOLD_OUTPUT_CHARACTERS);
  await agent.tell({ kind: 'ran', command, output, exitCode: outcome.exitCode });
  const hasPassed = outcome.exitCode === 0;
  const summary = `\`${command}\` ${hasPassed ? 'passes' : `fails with exit code ${outcome.exitCode}`}.`;
  return reportOf(hasPassed ? 'pass' : 'fail', summary, [{ name: 'test', command, exitCode: outcome.exitCode }]);
}

function reportOf(verdict: 'pass' | 'fail', summary: string, checks: readonly Check[]): WorkReport {
  return {
    isDone: true,
    summary,
    notes: [`Verdict: ${verdict}`, ...checks.map((check) => `\`${check.command}\` exited with ${check.exitCode}`)],
    resultText: () => resultJson({ verification: { verdict, summary, checks } }),
  };
}
