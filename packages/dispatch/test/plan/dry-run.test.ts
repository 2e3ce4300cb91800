import { createModelPool } from '@bailiwick/assignment-resolution';
import { describe, expect, it } from 'vitest';
import { dispatchBatch, dryRun } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { filesOf } from '../support/files-of.ts';
import { makeScene, planFor } from '../support/scene.ts';

describe('a dry run', () => {
  it('PL-7 tells of each job its identity, model, runner, backend, policy with digest, enforcement and outputs', async () => {
    const scene = await makeScene();
    const plan = await planFor(scene, ['verifier-1', 'verifier-2']);
    const { jobs } = await dryRun(scene.context, plan);
    expect(jobs.map((job) => job.workerId)).toEqual(['verifier-1', 'verifier-2']);
    expect(jobs[0]).toEqual({
      dispatchId: plan.jobs[0]?.dispatchId,
      workerId: 'verifier-1',
      identity: {
        participantRef: 'participant.verifier-1',
        roleExecutionRef: 'role.verifier-1',
        invocationRef: `${scene.manifest.runId}.verifier-1.1`,
        executionLabel: 'verifier-1',
        dutyId: 'duty',
        attempt: 1,
      },
      modelRef: 'codex/gpt-5.5',
      modelExecutionValue: 'gpt-5.5',
      runner: 'cli-wrapper',
      backend: 'cli-wrapper',
      promptPath: plan.jobs[0]?.promptPath,
      writePolicy: expect.objectContaining({
        role: 'verifier',
        plannedPaths: [],
        projectRoot: scene.manifest.projectRoot,
      }),
      writePolicyDigest: expect.stringMatching(/^sha256:/),
      writeEnforcement: expect.objectContaining({ mutationAudit: 'batch', boundary: 'none' }),
      outputPaths: plan.jobs[0]?.completionPaths,
    });
  });

  it('PL-4 changes nothing, neither in the run nor in the project, and starts nothing', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['implementer']);
    const before = [await filesOf(scene.context.stateRoot), await filesOf(scene.manifest.projectRoot)];
    await dryRun(scene.context, plan);
    expect([await filesOf(scene.context.stateRoot), await filesOf(scene.manifest.projectRoot)]).toEqual(before);
    expect(backend.orders).toEqual([]);
  });

  it('PL-4 of a plan that a caller assembled is refused for its shape like any other, and so is a real dispatch', async () => {
    const scene = await makeScene();
    const both = [await planFor(scene, ['implementer']), await planFor(scene, ['verifier-1'])];
    const plan = { jobs: both.flatMap(({ jobs }) => jobs), skipped: [] };
    expect(await codeOf(() => dryRun(scene.context, plan))).toBe('IMPLEMENTER_WITH_VERIFIER');
    expect(await codeOf(() => dispatchBatch(scene.context, plan))).toBe('IMPLEMENTER_WITH_VERIFIER');
  });

  it('PL-4 AR-3 is refused where a binding no longer stands', async () => {
    const scene = await makeScene();
    const plan = await planFor(scene, ['verifier-1']);
    const pool = createModelPool([]);
    expect(await codeOf(() => dryRun({ ...scene.context, pool }, plan))).toBe('BINDING_NO_LONGER_STANDS');
  });

  it('PL-4 WP-7 is refused where two jobs owe the same artifact', async () => {
    const scene = await makeScene();
    const { jobs } = await planFor(scene, ['verifier-1', 'verifier-2']);
    const [first, second] = jobs;
    if (first === undefined || second === undefined) throw new Error('two jobs were planned');
    const { dropBoxPath, completionPaths, resultPath, workerResultPath } = first;
    const overlapping = { ...second, dropBoxPath, completionPaths, resultPath, workerResultPath };
    expect(await codeOf(() => dryRun(scene.context, { jobs: [first, overlapping], skipped: [] }))).toBe(
      'BATCH_INCOMPATIBLE',
    );
  });
});
