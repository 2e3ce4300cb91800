import { parseRunId } from '@bailiwick/execution-identity';
import { expect, it } from 'vitest';
import { createRun, type OpenRunOptions, openRun, type ProjectConfig, poolOf } from '../../src/index.ts';
import { CONFIG, ENVIRONMENT, taskOf } from '../support/sample-run.ts';
import { bareProject } from '../support/stored-run.ts';

const CONFIG_WITH_LIMITS: ProjectConfig = { ...CONFIG, maxCostUsd: 3, agents: { codex: { maxConcurrent: 2 } } };

/** What a command's workers are held to, in a run that was made with or without a limit on its cost. */
async function limitsFor(o: {
  readonly config?: ProjectConfig;
  readonly createdWith?: number;
  readonly options?: OpenRunOptions;
}) {
  const { config = CONFIG_WITH_LIMITS, createdWith, options = {} } = o;
  const project = { ...bareProject(), gitCommonDirectory: null };
  const { manifest } = await createRun({
    ...{ project, config, task: taskOf('# Fix\n'), pool: poolOf(config), environment: ENVIRONMENT, now: new Date() },
    ...(createdWith === undefined ? {} : { maxCostUsd: createdWith }),
  });
  const surroundings = {
    environment: {},
    runtimeFolder: null,
    backends: new Map(),
    now: () => new Date(),
    keyFolder: `${project.stateRoot}/keys`,
    attemptsFolder: `${project.stateRoot}/attempts`,
  };
  const runId = parseRunId(manifest.runId);
  const { maxCostUsd, maxConcurrentByProvider } = await openRun({ project, config, runId, surroundings }, options);
  return { maxCostUsd, maxConcurrentByProvider };
}

it('a command’s limit on cost outranks that which the run was made with, and that the config’s', async () => {
  const costOf = async (o: Parameters<typeof limitsFor>[0]) => (await limitsFor(o)).maxCostUsd;
  expect(await costOf({ config: CONFIG })).toBeUndefined();
  expect(await costOf({})).toBe(3);
  expect(await costOf({ createdWith: 2 })).toBe(2);
  expect(await costOf({ createdWith: 2, options: { maxCostUsd: 5 } })).toBe(5);
});

it('the config’s limits on single providers are handed on', async () => {
  expect((await limitsFor({})).maxConcurrentByProvider).toEqual({ codex: 2 });
  expect((await limitsFor({ config: CONFIG })).maxConcurrentByProvider).toEqual({});
});
