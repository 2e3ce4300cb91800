import { expect, it } from 'vitest';
import { createRun, openRun, poolOf } from '../src/index.ts';
import { CONFIG, ENVIRONMENT, taskOf } from './support/sample-run.ts';
import { bareProject } from './support/stored-run.ts';

it('AR-4 a run’s bindings are judged for the lead runtime and terminal backend of its manifest, wherever it is opened', async () => {
  const host = { hostId: 'codex', terminalBackend: 'cmux' } as const;
  const project = { ...bareProject(), gitCommonDirectory: null };
  const { manifest } = await createRun({
    ...{ project, config: CONFIG, task: taskOf('# Fix\n'), pool: poolOf(CONFIG), now: new Date() },
    environment: { ...ENVIRONMENT, host },
  });
  const { environment } = await openRun({
    ...{ project, config: CONFIG, runId: manifest.runId },
    surroundings: {
      environment: {},
      runtimeFolder: null,
      backends: new Map(),
      now: () => new Date(),
      keyFolder: `${project.stateRoot}/keys`,
      attemptsFolder: `${project.stateRoot}/attempts`,
    },
  });
  expect([manifest.leadRuntime, manifest.terminalBackend]).toEqual(['codex', 'cmux']);
  expect(environment.host).toEqual(host);
});
