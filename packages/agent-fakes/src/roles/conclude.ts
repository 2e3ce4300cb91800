import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../agent.ts';
import type { OutOfPlanEdit, WorkReport } from './work-report.ts';

/** Writes the result and the worker result, tells the end, and gives the exit code that goes with it. */
export async function conclude(
  agent: Agent,
  report: WorkReport,
  edits: readonly OutOfPlanEdit[] = [],
): Promise<number> {
  await writeArtifact(agent, agent.prompt.resultPath, report.resultText(edits));
  await writeArtifact(agent, agent.prompt.workerResultPath, workerResultText(agent, report));
  if (report.isDone) {
    await agent.tell({ kind: 'finished', text: report.summary });
    return 0;
  }
  await agent.tell({ kind: 'failed', message: report.summary });
  return agent.exitCodeOfFailure();
}

async function writeArtifact(agent: Agent, target: string | undefined, content: string): Promise<void> {
  if (target === undefined) return;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
  await agent.tell({ kind: 'edited', path: target, change: 'add' });
}

function workerResultText(agent: Agent, report: WorkReport): string {
  const lines = [`# ${agent.prompt.role ?? 'Worker'}`, '', report.summary];
  if (report.notes.length > 0) lines.push('', ...report.notes.map((note) => `- ${note}`));
  return `${lines.join('\n')}\n`;
}
