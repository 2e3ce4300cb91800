import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runCliJson } from '../src/index.ts';
import { createdRun, dispatched } from './runs-in-process.ts';
import { project, type RunDocument, startedAgents } from './support.ts';

const CODEX = { model: 'codex/gpt-5.5' };

interface CostDocument extends RunDocument {
  readonly cost: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string };
}

describe('a limit on what a run costs', () => {
  it('ends it by code before the next worker, what ran stays settled, and a higher limit lets it go on', async () => {
    const made = await project();
    const start = await runCliJson<CostDocument>(made, ['run', 'start', '../TASK.md', '--max-cost', '0.000001']);
    expect(start).toMatchObject({
      exitCode: 1,
      document: {
        state: 'unfinished',
        phase: 'verify',
        error: { code: 'COST_LIMIT_REACHED' },
        cost: { knownUsd: expect.any(Number), unknownAttempts: 0, openAttempts: 0 },
      },
    });
    expect(start.document.attempts.map((row) => [row.workerId, row.status])).toEqual([['implementer', 'completed']]);
    // The limit is the run's: whoever resumes it need not name it again.
    for (const args of [
      ['run', 'resume'],
      ['team', 'dispatch', '--workers', 'verifier-1'],
    ])
      expect(await runCliJson<CostDocument>(made, args)).toMatchObject({
        exitCode: 2,
        document: { error: { code: 'COST_LIMIT_REACHED' } },
      });
    expect(await startedAgents(made)).toHaveLength(1);
    const resumed = await runCliJson<CostDocument>(made, ['run', 'resume', '--max-cost', '100']);
    expect(resumed).toMatchObject({ exitCode: 0, document: { state: 'verified' } });
    // Of these programs only the implementer's says what it cost.
    expect(resumed.document.cost).toEqual({ ...start.document.cost, unknownAttempts: 2 });
  });

  it('is read from the config too, and unknown cost is said to a person', async () => {
    const made = await project({ config: { maxCostUsd: 0.000001 } });
    expect((await runCli(made, ['run', 'start', '../TASK.md'])).stderr).toContain('[COST_LIMIT_REACHED]');
    const dispatched = await runCli(made, ['team', 'dispatch', '--workers', 'verifier-1', '--max-cost', '5']);
    expect(dispatched).toMatchObject({ exitCode: 0 });
    expect(dispatched.stdout).toMatch(/the run's cost: [\d.]+ USD, and unknown of 1 attempt$/m);
    expect((await runCli(made, ['run', 'show'])).stdout).toMatch(/^cost {5}[\d.]+ USD, and unknown of 1 attempt$/m);
  });
});

describe('a limit on the workers of one provider', () => {
  it('makes them take turns in one batch, although there is place for both', async () => {
    const notes = join(tmpdir(), `bailiwick-turns-${process.pid}.txt`);
    onTestFinished(() => rm(notes, { force: true }));
    const noting = `echo begin >> "${notes}"; sleep 0.2; "$@"; code=$?; echo end >> "${notes}"; exit $code`;
    const codex = ['/bin/sh', '-c', noting, 'sh', ...fakeAgentCommand({ speak: 'codex' })];
    const made = await project({
      config: {
        team: { implementer: CODEX, verifiers: [CODEX, CODEX] },
        agents: { codex: { command: codex, maxConcurrent: 1 } },
      },
    });
    await createdRun(made);
    await dispatched(made, ['verifier-1', 'verifier-2']);
    expect((await readFile(notes, 'utf8')).trim().split('\n')).toEqual(['begin', 'end', 'begin', 'end']);
  });
});
