import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BoundarySetting, type DispatchContext, dispatchBatch, dryRun } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { makeScene, planFor, type Scene } from '../support/scene.ts';

const URL = 'https://models.example/west';
const SERVED: Partial<DispatchContext> = {
  modelServers: { codex: { url: URL, keyVariable: 'SHOP_KEY' } },
  agentEnvironment: { HOME: '/home/ada', SHOP_KEY: 'the-real-key', CODEX_HOME: '/home/ada/elsewhere', PATH: '/bin' },
};

async function launched(scene: Scene, workers: readonly string[]) {
  const backend = createFakeBackend();
  const context = { ...scene.context, backends: new Map([[backend.kind, backend]]) };
  await dispatchBatch(context, await planFor({ ...scene, context }, workers));
  return backend.orders.flatMap(({ jobs }) => jobs);
}

describe('a worker whose provider has a model server of its own', () => {
  it('AR-10 is ordered behind the gateway, with a HOME of its own, without the key', async () => {
    const [job] = await launched(await makeScene({ context: SERVED }), ['verifier-1']);
    const placeholder = job?.gateway?.placeholder ?? 'none';
    expect(job?.gateway).toEqual({ format: 'openai-responses', upstream: URL, key: 'the-real-key', placeholder });
    expect(job?.ownHome).toMatchObject({ userHome: '/home/ada', files: [] });
    expect(job?.argv.join(' ')).toContain(`base_url="${placeholder}/v1"`);
    expect(job?.argv.join(' ')).not.toContain(URL);
    expect(job?.env).toMatchObject({ PATH: '/bin', BAILIWICK_MODEL_KEY: 'held-by-the-gateway' });
    expect(JSON.stringify([job?.env, job?.argv])).not.toMatch(/the-real-key|elsewhere/);
  });

  it('hands the rule for its models on to the gateway', async () => {
    const models = { only: ['gpt-5.5'], never: ['gpt-5.5-mini'] };
    const modelServers = { codex: { url: URL, keyVariable: null, models } };
    const [job] = await launched(await makeScene({ context: { ...SERVED, modelServers } }), ['verifier-1']);
    expect(job?.gateway).toMatchObject({ models, key: null });
  });

  it('leaves the workers of other providers alone', async () => {
    const [job] = await launched(await makeScene({ context: SERVED }), ['implementer']);
    expect([job?.gateway, job?.ownHome]).toEqual([undefined, undefined]);
  });

  it('in a boundary has its key isolated by the gateway, and no login bound into its HOME', async () => {
    const scene = await makeScene({ context: SERVED });
    const boundary: BoundarySetting = {
      mode: 'required',
      test: async () => ({ kind: 'works', program: '/usr/bin/bwrap', precision: 'file', nests: true }),
      testLayer: async () => ({ kind: 'overlay', means: { kind: 'bubblewrap' } }),
      attemptsFolder: join(scene.manifest.projectRoot, '..', 'attempts'),
      userHome: '/home/ada',
      hidden: [],
    };
    const context = { ...scene.context, boundary };
    const isolationOf = async (worker: string) =>
      (await dryRun(context, await planFor({ ...scene, context }, [worker]))).jobs[0]?.writeEnforcement.keyIsolation;
    expect([await isolationOf('implementer'), await isolationOf('verifier-1')]).toEqual(['none', 'gateway']);
    const [job] = await launched({ ...scene, context }, ['verifier-1']);
    expect(job?.boundary?.privateHome).toEqual({ userHome: '/home/ada', logins: [] });
  });

  it('AR-10 reaches the wire where the run demands it', async () => {
    const scene = await makeScene({ context: { ...SERVED, minimumModelSource: 'wire' } });
    expect((await dryRun(scene.context, await planFor(scene, ['verifier-1']))).jobs).toHaveLength(1);
  });

  it('is refused before anything is written where its key is missing', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend, context: { ...SERVED, agentEnvironment: { SHOP_KEY: '' } } });
    const plan = await planFor(scene, ['verifier-1']);
    expect(await codeOf(() => dryRun(scene.context, plan))).toBe('MODEL_KEY_MISSING');
    expect(await codeOf(() => dispatchBatch(scene.context, plan))).toBe('MODEL_KEY_MISSING');
    expect(backend.orders).toEqual([]);
  });
});
