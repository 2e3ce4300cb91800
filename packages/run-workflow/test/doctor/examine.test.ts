import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConfigFound, examine, loadConfig, type Project } from '../../src/index.ts';
import { CONFIG } from '../support/sample-run.ts';
import { bareProject, storeRun } from '../support/stored-run.ts';

async function findings(project: Project, config: ConfigFound) {
  const machine = { commands: {}, path: '', nodeVersion: '24.15.0', platform: 'linux' };
  const rows = await examine({ project, projectError: '', config, ...machine });
  return Object.fromEntries(rows.map(({ check, level, message }) => [check, `${level}: ${message}`]));
}

describe('the doctor', () => {
  it('shows within which bounds workers run, what logs may take, what is free and what runs hold', async () => {
    const project = bareProject();
    await storeRun(project);
    const found = await findings(project, { config: { ...CONFIG, limits: { hardMinutes: 30 }, maxConcurrent: 3 } });
    expect(found['limits']).toBe(
      'ok: at most: 3 workers at a time, an attempt 30 min, 10 min without output, 10 s to end politely',
    );
    expect(found['logs']).toContain('at most 128 MiB for each attempt');
    expect(found['disk']).toMatch(/^(ok|warn): [\d.]+ MiB free; 1 runs hold [\d.]+ MiB$/);
    expect(found['config']).toBe('ok: .bailiwick/config.json');
  });

  it('shows the bounds on single providers and on cost, where the config has them', async () => {
    const config = { ...CONFIG, maxCostUsd: 2.5, agents: { codex: { maxConcurrent: 1 } } };
    const { limits } = await findings(bareProject(), { config });
    expect(limits).toContain(
      '8 workers at a time, 1 of codex, 2.5 USD a run, as far as it is known, an attempt 120 min',
    );
  });

  it('says that a config can’t be used, where another one says that there is none', async () => {
    const project = bareProject();
    const configOf = async (): Promise<ConfigFound> =>
      loadConfig(project.root).then(
        (config) => ({ config }),
        (error: Error) => ({ error }),
      );
    expect((await findings(project, await configOf()))['config']).toContain('warn: this project has no config yet');
    await mkdir(join(project.root, '.bailiwick'), { recursive: true });
    await writeFile(join(project.root, '.bailiwick', 'config.json'), '{"schemaVersion":"1.0","team":{}}');
    expect((await findings(project, await configOf()))['config']).toMatch(/^fail: .*\/team.*\[CONFIG_INVALID\]/s);
  });
});
