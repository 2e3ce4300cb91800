import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testBoundary } from '@bailiwick/process-supervision';
import { describe, expect, it } from 'vitest';
import { type ConfigFound, examine, loadConfig, type Project } from '../../src/index.ts';
import { CONFIG } from '../support/sample-run.ts';
import { bareProject, storeRun } from '../support/stored-run.ts';

const tested = await testBoundary({ path: process.env['PATH'] ?? '' });

async function findings(project: Project, config: ConfigFound, path = '') {
  const attemptsFolder = join(project.stateRoot, '..', 'attempts');
  const machine = { commands: {}, path, nodeVersion: '24.15.0', platform: 'linux', attemptsFolder };
  const inherited = { environment: { HOME: '/nonexistent' }, userHome: '/nonexistent' };
  const rows = await examine({ project, projectError: '', config, ...machine, ...inherited });
  return Object.fromEntries(rows.map(({ check, level, message }) => [check, `${level}: ${message}`]));
}

/** Shell scripts in a folder of their own, as a PATH. */
async function programs(project: Project, scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(project.stateRoot, '..', 'programs');
  await mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
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

  it('says nothing of layers where there is no boundary', async () => {
    expect(await findings(bareProject(), { config: CONFIG })).not.toHaveProperty('layer');
  });

  it.skipIf(tested.kind !== 'works')(
    'tries under bubblewrap what lies over the project while a verifier works',
    async () => {
      const project = bareProject();
      const path = process.env['PATH'] ?? '';
      const found = await findings(project, { config: CONFIG }, path);
      expect(found['layer']).toMatch(/^(?:ok: overlay, tried|warn: copy: \S)/);
      expect(await findings(project, { config: { ...CONFIG, boundary: 'off' } }, path)).not.toHaveProperty('layer');
    },
  );

  it('knows an agent of another version, and one that can’t be dispatched', async () => {
    const project = bareProject();
    const path = await programs(project, { codex: 'echo codex-cli 9.9.9', amp: 'echo 1' });
    const found = await findings(project, { config: { ...CONFIG, boundary: 'off' } }, path);
    expect(found['agent codex']).toBe('ok: codex-cli 9.9.9; what is known of it was seen with 0.171.0');
    expect(found['agent amp']).toMatch(/^warn: is here, and can't be dispatched: it talks only to its own service/);
    expect(found).not.toHaveProperty('agents');
  });

  it.skipIf(tested.kind !== 'works')('starts agents under bubblewrap, in a HOME that they can write', async () => {
    const project = bareProject();
    const path = await programs(project, {
      codex: 'echo x > "$HOME/state" && echo codex-cli 0.171.0',
      pi: `echo x > '${project.root}/state' && echo 1.6.0`,
    });
    const found = await findings(project, { config: CONFIG }, `${path}:${process.env['PATH']}`);
    expect(found['agent codex']).toBe('ok: codex-cli 0.171.0; starts in the boundary, with a HOME of its own');
    expect(found['agent pi']).toMatch(/^warn: doesn't start in the boundary: .*Read-only file system/);
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
