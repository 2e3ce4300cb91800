import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, runCli, runCliJson, type TempProject } from '../src/index.ts';
import { storedRun } from './runs-in-process.ts';
import { project, type RunDocument, SMALL_TEAM, startedAgents } from './support.ts';

interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly path?: string; readonly hint?: string };
}

async function refusal(made: TempProject, args: readonly string[]): Promise<string> {
  const { exitCode, document } = await runCliJson<Refusal>(made, args);
  expect(exitCode).toBe(2);
  return document.error.code;
}

describe('a request that is wrong', () => {
  // Each other way in which a task file, a folder or a config can be wrong has its test where it is read.
  it('a task file that is missing or too large is refused by code, and nothing starts', async () => {
    const made = await project();
    const path = join(made.root, '..', 'bad.md');
    const start = ['run', 'start', '../bad.md'];
    expect(await refusal(made, start)).toBe('TASK_MISSING');
    await writeFile(path, 'x'.repeat(20_000_000));
    expect(await refusal(made, start)).toBe('TASK_UNREADABLE');
    expect(await startedAgents(made)).toEqual([]);
    expect(await git(made.root, 'status', '--porcelain')).toBe('');
  });

  it('a bare repository is refused by code', async () => {
    const made = await project();
    await git(made.root, 'clone', '--quiet', '--bare', '.', '../bare.git');
    expect(await refusal({ ...made, root: join(made.root, '..', 'bare.git') }, ['run', 'list'])).toBe(
      'BARE_REPOSITORY',
    );
  });

  it('a config of a newer version and a missing one each have their code', async () => {
    const made = await project();
    const path = join(made.root, '.bailiwick', 'config.json');
    await writeFile(path, '{"schemaVersion":"9.0"}');
    expect(await refusal(made, ['run', 'start', '../TASK.md'])).toBe('DOCUMENT_NEWER_VERSION');
    await rm(path);
    expect(await refusal(made, ['run', 'start', '../TASK.md'])).toBe('CONFIG_MISSING');
  });

  it('a model that nobody knows is refused before anything is made', async () => {
    const made = await project({ config: { team: { implementer: { model: 'claude/no-such' }, verifiers: [] } } });
    expect(await refusal(made, ['run', 'start', '../TASK.md'])).toBe('MODEL_UNKNOWN');
    await expect(storedRun(made)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it('an unknown command or option exits 2 and prints no stack', async () => {
    const made = await project();
    const result = await runCli(made, ['run', 'strat']);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('start');
    expect(result.stderr).not.toContain('    at ');
    expect((await runCliJson<Refusal>(made, ['team', 'await', '--timeout', 'soon'])).document.error.code).toBe('USAGE');
  });
});

describe('a project at an odd place', () => {
  it('works like any other, with every character that paths may hold and no commit yet', async () => {
    const made = await project({
      isCommitted: false,
      config: { team: SMALL_TEAM },
      folder: ' -it\'s "Gästehaus" 宿 $(date) *',
    });
    const { exitCode, document } = await runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md']);
    expect([exitCode, document.state, document.attempts.map((attempt) => attempt.reason)]).toEqual([
      0,
      'verified',
      ['', ''],
    ]);
  });
});
